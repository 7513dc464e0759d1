// Runs once for each HTML part of the page, with `element`, `trigger`, `props` and `watch` given.
// Reports clicks on our buttons and keeps the right thing in view; it never builds markup.
element.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  const { open, ask, edit, close, save } = button.dataset;
  if (open !== undefined) {
    window.citewellOpener = button;
    trigger('open', { reference: open });
  }
  if (ask !== undefined) trigger('pick', { question: ask });
  if (edit !== undefined) putIntoBox(edit);
  if (close !== undefined) closePaper();
  if (save !== undefined) trigger('save', { kind: save });
});

function putIntoBox(text) {
  const box = document.querySelector('#cw-box textarea');
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.focus();
}

function closePaper() {
  props.value = '';
  const opener = window.citewellOpener;
  if (opener && opener.isConnected) opener.focus({ preventScroll: true });
}

if (element.closest('.cw-paper')) {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && props.value) closePaper();
  });
  watch('value', () => {
    const paper = element.querySelector('article');
    if (!paper) return;
    paper.focus({ preventScroll: true });
    const mark = paper.querySelector('mark');
    if (mark) mark.scrollIntoView({ block: 'center' });
    else paper.scrollIntoView({ block: 'start' });
  });
}

// The talk follows what is being written, unless the reader has scrolled away from its end.
if (element.closest('#cw-now')) {
  const talk = document.querySelector('#cw-scroll');
  let turn = null;
  let following = true;
  const atEnd = () => talk.scrollHeight - talk.scrollTop - talk.clientHeight < 60;
  talk.addEventListener('scroll', () => { following = atEnd(); }, { passive: true });
  watch('value', () => {
    const article = element.querySelector('article');
    const started = article && article.dataset.turn !== turn;
    turn = article ? article.dataset.turn : null;
    if (following || started) talk.scrollTop = talk.scrollHeight;
  });
}
