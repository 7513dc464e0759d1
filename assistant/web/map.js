// The Map tab: points are written straight into the pixels of a canvas, so that 50,000 of them move
// smoothly without a graphics card. Names are drawn as text; the paper's page comes from the server.
const canvas = element.querySelector('canvas');
const hint = element.querySelector('.hint');
const paint = canvas.getContext('2d');
const COLOURS = [
  '#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9',
  '#7f5fc7', '#8c6d31', '#d6616b', '#3c9d9b', '#637939', '#7b4173',
];
const packed = COLOURS.map((hex) => {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return (0xff << 24) | (b << 16) | (g << 8) | r;
});
let points = null;
let view = { x: 0.5, y: 0.5, zoom: 1 };
let waiting = false;
let image = null;

function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

async function load() {
  element.querySelector('.state').textContent = 'Drawing the map …';
  const reply = await server.points({});
  const places = new DataView(bytes(reply.places).buffer);
  const count = reply.ids.length;
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    x[i] = places.getUint16(4 * i, true) / 65535;
    y[i] = places.getUint16(4 * i + 2, true) / 65535;
  }
  points = { x, y, region: bytes(reply.regions), ids: reply.ids, names: reply.names, lit: new Set() };
  points.middles = middles();
  element.querySelector('.state').textContent = `${count.toLocaleString('en')} papers, each a point.`;
  fit();
}

function middles() {
  return points.names.map((_, region) => {
    let [x, y, count] = [0, 0, 0];
    for (let i = 0; i < points.x.length; i += 1) {
      if (points.region[i] === region) { x += points.x[i]; y += points.y[i]; count += 1; }
    }
    return count ? [x / count, y / count] : null;
  });
}

function fit() {
  const box = canvas.parentElement.getBoundingClientRect();
  if (!box.width || !box.height) return;
  canvas.width = Math.round(box.width);
  canvas.height = Math.round(box.height);
  image = paint.createImageData(canvas.width, canvas.height);
  redraw();
}

function scale() { return view.zoom * 0.94; }
function across(x) { return (x - view.x) * scale() * canvas.width + canvas.width / 2; }
function down(y) { return (y - view.y) * scale() * canvas.height + canvas.height / 2; }

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; if (points && image) draw(); });
}

function draw() {
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(0);
  const { width, height } = canvas;
  const size = Math.min(6, (points.x.length > 5000 ? 2 : 4) + Math.floor(Math.log2(view.zoom) / 2));
  for (let i = 0; i < points.x.length; i += 1) {
    const left = across(points.x[i]) | 0;
    const top = down(points.y[i]) | 0;
    if (left < 0 || top < 0 || left >= width - size || top >= height - size) continue;
    const colour = packed[points.region[i] % packed.length];
    for (let row = 0; row < size; row += 1) {
      const at = (top + row) * width + left;
      pixels.fill(colour, at, at + size);
    }
  }
  paint.putImageData(image, 0, 0);
  drawLit();
  drawNames();
}

function drawLit() {
  const style = getComputedStyle(element);
  paint.strokeStyle = style.color;
  paint.lineWidth = 2;
  points.ids.forEach((id, i) => {
    if (!points.lit.has(id)) return;
    paint.beginPath();
    paint.arc(across(points.x[i]) + 2, down(points.y[i]) + 2, 9, 0, 7);
    paint.stroke();
  });
}

function drawNames() {
  const dark = document.body.classList.contains('dark');
  paint.font = '600 13px system-ui, sans-serif';
  paint.textAlign = 'center';
  paint.lineWidth = 4;
  paint.lineJoin = 'round';
  paint.strokeStyle = dark ? 'rgb(28 25 23 / 0.85)' : 'rgb(255 255 255 / 0.85)';
  paint.fillStyle = dark ? '#fafaf9' : '#1c1917';
  const taken = [];
  points.middles.forEach((middle, region) => {
    if (!middle || !points.names[region]) return;
    const name = points.names[region];
    const half = paint.measureText(name).width / 2;
    const x = Math.max(half + 4, Math.min(canvas.width - half - 4, across(middle[0])));
    let y = down(middle[1]);
    if (y < 0 || y > canvas.height) return;
    while (taken.some((t) => Math.abs(t.y - y) < 17 && Math.abs(t.x - x) < t.half + half)) y += 17;
    taken.push({ x, y, half });
    paint.strokeText(name, x, y);
    paint.fillText(name, x, y);
  });
}

function nearest(event) {
  const box = canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let found = -1;
  let least = 12 * 12;
  for (let i = 0; points && i < points.x.length; i += 1) {
    const away = (across(points.x[i]) - x) ** 2 + (down(points.y[i]) - y) ** 2;
    if (away < least) { least = away; found = i; }
  }
  return found;
}

function zoom(factor, x = canvas.width / 2, y = canvas.height / 2) {
  const before = [(x - canvas.width / 2) / canvas.width, (y - canvas.height / 2) / canvas.height];
  const held = [view.x + before[0] / scale(), view.y + before[1] / scale()];
  view.zoom = Math.max(1, Math.min(200, view.zoom * factor));
  view.x = held[0] - before[0] / scale();
  view.y = held[1] - before[1] / scale();
  redraw();
}

function move(dx, dy) {
  view.x -= dx / scale() / canvas.width;
  view.y -= dy / scale() / canvas.height;
  redraw();
}

let held = null;
let travelled = 0;
let pointed = -1;
canvas.addEventListener('pointerdown', (event) => {
  held = [event.clientX, event.clientY];
  travelled = 0;
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', async (event) => {
  if (held) {
    const [dx, dy] = [event.clientX - held[0], event.clientY - held[1]];
    travelled += Math.abs(dx) + Math.abs(dy);
    held = [event.clientX, event.clientY];
    move(dx, dy);
    return;
  }
  const found = nearest(event);
  if (found === pointed) return;
  pointed = found;
  hint.hidden = true;
  if (found < 0) return;
  const reply = await server.called({ id: points.ids[found] });
  if (pointed !== found) return;
  hint.textContent = reply.label;
  hint.hidden = !reply.label;
  hint.style.left = `${Math.min(across(points.x[found]) + 12, canvas.width - 260)}px`;
  hint.style.top = `${down(points.y[found]) + 12}px`;
});
canvas.addEventListener('pointerup', (event) => {
  held = null;
  const found = travelled < 5 ? nearest(event) : -1;
  if (found >= 0) open(points.ids[found]);
});
canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.offsetX, event.offsetY);
}, { passive: false });
canvas.addEventListener('keydown', (event) => {
  const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (step[event.key]) { move(...step[event.key]); event.preventDefault(); }
  if (event.key === '+') zoom(1.3);
  if (event.key === '-') zoom(1 / 1.3);
});

async function open(id) {
  const reply = await server.paper({ id });
  element.querySelector('.opened').innerHTML = reply.page;
  element.querySelector('.opened article')?.focus();
}
element.querySelector('.opened').addEventListener('click', async (event) => {
  const told = event.target.closest('button')?.dataset;
  if (!told) return;
  if (told.paper) open(told.paper);
  if (told.list !== undefined) element.querySelector('.opened').innerHTML = '';
  if (told.copy) await navigator.clipboard.writeText(told.copy);
  if (told.question) ask(told.question);
});

function ask(question) {
  const box = document.querySelector('#cw-box textarea');
  if (!box) return;
  document.querySelector('[role=tab]')?.click();
  box.value = question;
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.focus();
}

// The papers that the last answer rests on light up: their cards name them.
function light() {
  if (!points) return;
  const cards = document.querySelectorAll('.card[data-of]:not(.unused)');
  points.lit = new Set([...cards].map((card) => card.dataset.of));
  redraw();
}

new ResizeObserver(fit).observe(canvas.parentElement);
new IntersectionObserver(async (seen) => {
  if (!seen[0].isIntersecting) return;
  await load();
  light();
}).observe(canvas);
