// The side bar: reports clicks on its buttons; all markup comes from the server.
let asking = null; // the Delete button that waits for its second click

element.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  const { talk, drop, save, kind } = button.dataset;
  if (talk !== undefined) {
    trigger('talk', { talk });
    // On a narrow screen the bar covers what was just opened.
    if (matchMedia('(max-width: 768px)').matches) {
      document.querySelector('#cw-side .toggle-button')?.click();
    }
  }
  if (save !== undefined) trigger('save', { save, kind });
  if (drop === undefined) return;
  if (asking === button) {
    trigger('drop', { drop });
  } else {
    asking = button;
    button.textContent = 'Delete for good?';
  }
});
