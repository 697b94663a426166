// The heads of one layer: see __init__.py. Each face is a function that draws it and returns what ends it.
async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const styled = (element, properties) => {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
  return element;
};
const named = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const asHead = (element, head) => (head ? styled(element, { "--head": head.color, "--ink-on": head.ink }) : element);
const chip = (heads, i) => asHead(make("span", { className: "chip" }, String(i + 1)), heads[i]);

// The colour behind a CSS variable of the root, as [red, green, blue].
function channels(root, name) {
  const ink = make("canvas", { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  ink.fillStyle = getComputedStyle(root).getPropertyValue(name).trim();
  ink.fillRect(0, 0, 1, 1);
  return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

// Cells as a picture that is one pixel a cell; `tint` gives [red, green, blue, opacity 0-255] for a byte.
function picture(canvas, cells, from, stride, width, height, tint) {
  Object.assign(canvas, { width, height });
  canvas.style.imageRendering = "pixelated";
  const ink = canvas.getContext("2d");
  const image = ink.createImageData(width, height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) image.data.set(tint(cells[from + row * stride + column]), 4 * (row * width + column));
  ink.putImageData(image, 0, 0);
}

// Paint now and again when the theme changes; returns what ends that.
function painted(packed, paint) {
  let [ended, cells] = [false, null];
  unpack(packed).then((unpacked) => {
    cells = unpacked;
    if (!ended) paint(cells);
  });
  const unthemed = onTheme(() => cells && !ended && paint(cells));
  return () => {
    ended = true;
    unthemed();
  };
}

function tiles({ data, root, send }) {
  const { heads, names, places, row, side, texts } = data;
  const n = names.length;
  const canvases = [];
  const made = data.tiles.map((tile, i) => {
    const canvas = make("canvas");
    canvases.push(canvas);
    const here = styled(make("i"), { top: `${(100 * row) / n}%`, height: `${100 / n}%` });
    const strip = make(
      "span",
      { className: "strip" },
      ...tile.row.map((weight) => styled(make("span"), { background: `color-mix(in srgb, var(--key) ${weight}%, var(--card))` })),
    );
    const looks = tile.looks.flatMap(({ at, name, number }) => [
      make("span", { className: at < 0 ? "special" : "word", title: name }, name),
      make("span", { className: "number" }, number),
    ]);
    const button = make(
      "button",
      { type: "button", className: "tile" },
      make("span", { className: "top" }, chip(heads, i), make("span", { className: "spread number" }, tile.spread)),
      make("span", { className: "map" }, canvas, here),
      strip,
      make("span", { className: "looks" }, ...looks),
    );
    named(button, { "aria-pressed": String(i === data.chosen), "aria-label": tile.name, title: filled(texts.how, { head: i + 1 }) });
    button.onclick = () => send("head", i);
    button.querySelector(".map").onpointermove = (event) => {
      const box = canvas.getBoundingClientRect();
      const at = (part, size) => places[Math.min(n - 1, Math.max(0, Math.floor((part / size) * n)))];
      announce("tiles", at(event.clientY - box.top, box.height), at(event.clientX - box.left, box.width));
    };
    button.onpointerleave = () => announce("tiles", null, null);
    return asHead(button, heads[i]);
  });
  const list = named(make("div", { className: heads.length < 5 ? "tiles few" : "tiles" }, ...made), { role: "group", "aria-label": texts.title });
  root.replaceChildren(list);
  return painted(data.packed, (cells) => {
    const key = channels(root, "--key");
    // They came column after column.
    const at = (i) => i - (i % (side * side)) + (i % side) * side + (Math.floor(i / side) % side);
    const turned = cells.map((_, i) => cells[at(i)]);
    canvases.forEach((canvas, i) => picture(canvas, turned, i * side * side, side, side, side, (cell) => [...key, (255 * cell) / data.steps]));
  });
}

function concat({ data, root, send }) {
  const { heads, names, places, row, width, texts } = data;
  const n = names.length;
  const [high, type] = n <= 16 ? [1.5, 1] : [1.0625, 0.8125]; // rem, so that they grow in presenter mode
  const widest = Math.min(6.5, 0.8 + 1.05 * type * Math.max(2, ...names.map((name) => [...name].length)));
  const nameCells = names.map((name, i) => make("div", { className: i === row ? "here" : "", title: name }, name));
  const left = make("div", { className: "names" }, make("div", { className: "head-line" }), ...nameCells);
  const read = named(make("p", { className: "read" }, ""), { "aria-live": "off" });
  const canvases = [];
  const blocks = heads.map((head, i) => {
    const canvas = make("canvas");
    canvases.push(canvas);
    const columns = filled(texts.columns, { first: i * width + 1, last: (i + 1) * width });
    const title = filled(texts.block, { head: i + 1 });
    const mark = styled(make("i"), { top: `${row * high}rem` });
    const face = styled(make("span", { className: "face" }, canvas, mark), { height: `${n * high}rem` });
    const line = make("span", { className: "head-line" }, title, make("small", {}, columns));
    line.style.display = "block";
    const block = make("button", { type: "button", className: "block" }, line, face);
    named(block, { "aria-pressed": String(i === data.chosen), "aria-label": `${title} ${columns}` });
    block.onclick = () => send("head", i);
    face.onpointermove = (event) => {
      const box = canvas.getBoundingClientRect();
      const nth = Math.min(width - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * width)));
      const at = Math.min(n - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * n)));
      read.textContent = filled(texts.place, { name: names[at], head: i + 1, nth: nth + 1, column: i * width + nth + 1 });
      announce("concat", places[at], null);
    };
    face.onpointerleave = () => {
      read.textContent = "";
      announce("concat", null, null);
    };
    return asHead(block, head);
  });
  const whole = styled(make("div", { className: "concat" }, left, ...blocks), { "--row": `${high}rem`, "--type": `${type}rem`, "--heads": String(heads.length), "--widest": `${widest}rem` });
  whole.setAttribute("role", "group");
  whole.setAttribute("aria-label", texts.title);
  const legend = make("div", { className: "legend" }, texts.minus, make("b"), texts.plus);
  root.replaceChildren(make("div", { className: "scroll", tabIndex: 0 }, whole), legend, read);
  const scroll = named(root.firstChild, { role: "region", "aria-label": texts.title });
  // Where it was scrolled to survives a rerun; a newly chosen word is brought into view.
  const kept = root.kept?.row === row ? root.kept : { row, left: root.kept?.left ?? 0, top: nameCells[row].offsetTop - scroll.clientHeight / 2 };
  Object.assign(scroll, { scrollLeft: kept.left, scrollTop: kept.top });
  scroll.onscroll = () => (root.kept = { row, left: scroll.scrollLeft, top: scroll.scrollTop });
  root.kept = kept;
  const unpaint = painted(data.packed, (cells) => {
    const [minus, plus] = [channels(root, "--minus"), channels(root, "--plus")];
    const tint = (cell) => [...(cell < 128 ? minus : plus), Math.min(255, 255 * (Math.abs(cell - 128) / 127) ** 0.7)];
    canvases.forEach((canvas, i) => picture(canvas, cells, i * width, heads.length * width, width, n, tint));
  });
  const unfollow = follow("concat", (at) => nameCells.forEach((cell, i) => cell.classList.toggle("here", at === null ? i === row : places[i] === at)));
  return () => [unpaint, unfollow].forEach((end) => end());
}

function bars({ data, root }) {
  const { heads, texts } = data;
  const list = named(make("ol", { className: data.bars.length > 20 ? "bars long" : "bars", tabIndex: 0 }), { "aria-label": texts.title });
  const percent = (part) => `${100 * part}%`;
  const items = data.bars.map(({ head, label, at, start, stop, numbers, strong }) => {
    const [low, high] = [Math.min(start, stop), Math.max(start, stop)];
    const bar = styled(make("b"), { left: percent(low), width: `max(2px, ${percent(high - low)})` });
    const track = make("span", { className: "track" }, styled(make("u"), { left: percent(data.zero) }), bar);
    const name = head === null ? make("span", { className: "label", title: label }, label) : chip(heads, head);
    const item = make("li", { className: `bar${strong ? " strong" : ""}${at === null ? "" : " word"}` }, make("span", { className: "label" }, name), track);
    item.append(...numbers.map((number) => make("span", { className: "number" }, number)));
    if (at !== null) {
      item.onpointerenter = () => announce(data.texts.title, at, null);
      item.onpointerleave = () => announce(data.texts.title, null, null);
    }
    return asHead(item, heads[head]);
  });
  const longest = Math.min(7, Math.max(2.4, ...data.bars.map(({ head, label }) => (head === null ? [...label].length * 1.05 : 2))));
  const heading = make("li", { className: "bar heading" }, make("span"), make("span"));
  heading.append(...data.columns.map((column) => make("span", { className: "number" }, column)));
  list.append(...(data.columns.length ? [heading] : []), ...items);
  styled(list, { "--label": `${longest}em`, "--columns": String(data.bars[0]?.numbers.length ?? 0) });
  root.replaceChildren(list);
  return follow(data.texts.title, (row) => data.bars.forEach(({ at }, i) => items[i].classList.toggle("marked", at !== null && at === row)));
}

function switches({ data, root, send, focused }) {
  const { heads, texts } = data;
  const all = heads.map((_, i) => i);
  const same = (a, b) => a.length === b.length && a.every((head) => b.includes(head));
  const on = heads.map((head, i) => {
    const isOff = data.off.includes(i);
    const button = named(make("button", { type: "button", className: "switch" }, String(i + 1)), {
      role: "switch",
      "aria-checked": String(!isOff),
      "aria-label": filled(texts.switch, { head: i + 1 }),
      title: filled(texts.switch, { head: i + 1 }),
    });
    button.onclick = () => send("off", isOff ? data.off.filter((other) => other !== i) : [...data.off, i]);
    return asHead(button, head);
  });
  const alone = heads.map((head, i) => {
    const others = all.filter((other) => other !== i);
    const pressed = others.length > 0 && same(others, data.off);
    const button = named(make("button", { type: "button", className: "alone" }, String(i + 1)), {
      "aria-pressed": String(pressed),
      "aria-label": filled(texts.alone, { head: i + 1 }),
      title: filled(texts.alone, { head: i + 1 }),
    });
    button.onclick = () => send("off", pressed ? [] : others);
    return asHead(button, head);
  });
  const every = make("button", { type: "button", className: "all", disabled: data.off.length === 0 }, texts.all);
  every.onclick = () => send("off", []);
  const line = (title, buttons, ...more) => named(make("div", { className: "line" }, make("p", {}, title), ...buttons, ...more), { role: "group", "aria-label": title });
  root.replaceChildren(line(texts.title, on, every), ...(heads.length > 1 ? [line(texts.alone_title, alone)] : []));
  if (focused !== null) [...on, ...alone][focused]?.focus({ preventScroll: true }); // the keyboard goes on where it was
  return () => {};
}

function likeness({ data, root }) {
  const { heads, cells, texts } = data;
  const top = make("tr", {}, make("td", { className: "self" }), ...heads.map((_, i) => named(make("th", {}, chip(heads, i)), { scope: "col" })));
  const lines = cells.map((line, i) => {
    const made = line.map(([share, number], j) => {
      const cell = styled(make("td", { className: `number${i === j ? " self" : share > 0.75 ? " deep" : share > 0.65 ? " mid" : ""}` }, i === j ? "·" : number), { "--share": String(share) });
      cell.title = filled(texts.pair, { head: i + 1, other: j + 1, number });
      return cell;
    });
    return make("tr", {}, named(make("th", {}, chip(heads, i)), { scope: "row" }), ...made);
  });
  const table = named(make("table", { className: "square" }, top, ...lines), { "aria-label": texts.title });
  root.replaceChildren(named(make("div", { className: "scroll whole", tabIndex: 0 }, table), { role: "region", "aria-label": texts.title }));
  return () => {};
}

const faces = { tiles, concat, bars, switches, likeness };

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const buttons = [...root.querySelectorAll(".switch, .alone")];
  const focused = buttons.indexOf(parentElement.activeElement);
  return faces[data.face]({ data, root, send: setTriggerValue, focused: focused < 0 ? null : focused });
}
