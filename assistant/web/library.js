// The Library tab: asks the server for rows while the reader types; all markup comes from there.
const part = (name) => element.querySelector(name);
const rows = part('tbody');
let order = 'added';
let descending = false;
let asked = 0;
let next = 0;

function wanted(start) {
  const value = (name) => part(`[name=${name}]`).value;
  const year = (name) => Number.parseInt(value(name), 10) || null;
  return {
    words: value('words'), collection: value('collection'), venue: value('venue'),
    since: year('since'), until: year('until'), order, descending: Number(descending), start,
  };
}

async function list(start = 0) {
  const mine = ++asked;
  const reply = await server.find(wanted(start));
  if (mine !== asked) return; // a later keystroke is on its way
  if (start) rows.insertAdjacentHTML('beforeend', reply.rows);
  else rows.innerHTML = reply.rows;
  next = reply.next;
  part('.found').textContent = reply.found;
  part('.more').textContent = next ? 'More …' : '';
}

async function figures() {
  const reply = await server.figures({});
  part('.figures div').innerHTML = reply.figures;
  part('[name=collection]').innerHTML = reply.collections;
  part('[name=venue]').innerHTML = reply.venues;
}

async function open(id) {
  const reply = await server.paper({ id });
  part('.opened').innerHTML = reply.page;
  element.classList.toggle('reading', Boolean(reply.page));
  part('.opened article')?.focus();
}

function close() {
  element.classList.remove('reading');
  part('.opened').innerHTML = '';
}

function ask(question) {
  const box = document.querySelector('#cw-box textarea');
  if (!box) return;
  document.querySelector('[role=tab]')?.click();
  box.value = question;
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.focus();
}

async function changed(reply) {
  close();
  part('.told').innerHTML = reply.told;
  await list();
  await figures();
}

element.addEventListener('input', (event) => { if (event.target.closest('.tools')) list(); });
element.addEventListener('click', async (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  const told = button.dataset;
  if (told.paper) open(told.paper);
  if (told.list !== undefined) close();
  if (told.question) ask(told.question);
  if (told.copy) {
    await navigator.clipboard.writeText(told.copy);
    button.textContent = 'Copied';
  }
  if (told.remove) changed(await server.remove({ id: told.remove }));
  if (told.undo) changed(await server.restore({ id: told.undo }));
  if (told.order) {
    descending = order === told.order && !descending;
    order = told.order;
    for (const one of element.querySelectorAll('th')) one.removeAttribute('aria-sort');
    button.closest('th').setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    list();
  }
});
element.addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); });

// Files dropped here go the way of the button that adds papers.
element.addEventListener('dragover', (event) => event.preventDefault());
element.addEventListener('drop', (event) => {
  event.preventDefault();
  const input = document.querySelector('#cw-upload input[type=file], input[type=file]#cw-upload');
  if (!input || !event.dataTransfer.files.length) return;
  input.files = event.dataTransfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
});

new IntersectionObserver((seen) => {
  if (seen[0].isIntersecting && next) list(next);
}).observe(part('.more'));
// A hidden tab costs nothing: the list is asked for when it is first seen.
new IntersectionObserver((seen, observer) => {
  if (!seen[0].isIntersecting) return;
  list();
  figures();
}).observe(part('.tools'));
