// The WAI-ARIA grid pattern: one tab stop, arrow keys move, Enter chooses, Space adds to the mean or takes away.
// The numbers at the edges are part of the grid: they choose a whole layer or the same head of every layer.
const GAP = 0.35; // of a cell, between the words and the special tokens, as in the large picture
const LABELS_UP_TO = 14; // words: beyond, the preview has no room for their names
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// The text of a template as nodes; a field of `roles` becomes an element of that class.
const fill = (template, values, roles = {}) =>
  template.split(/(\{\w+\})/).map((part) => {
    const name = part.slice(1, -1);
    if (!(name in values) || part !== `{${name}}`) return part;
    return roles[name] ? make("span", { className: roles[name] }, String(values[name])) : String(values[name]);
  });
const say = (template, values) => fill(template, values).join("");

async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  // What outlives a change of the data: the cells already unpacked, the mode, the places of focus, scroll and pointer.
  const kept = (root.kept ??= { packed: null, cells: null, many: false, at: null, scroll: 0, pointer: null });
  const ends = [];
  let ended = false;
  (async () => {
    if (kept.packed !== data.packed) {
      const cells = await unpack(data.packed);
      if (ended) return;
      Object.assign(kept, { packed: data.packed, cells });
    }
    ends.push(...draw(data, root, kept, parentElement, setTriggerValue));
  })();
  return () => {
    ended = true;
    ends.forEach((end) => end());
  };
}

function draw(data, root, kept, parentElement, setTriggerValue) {
  const { shape, texts, labels } = data;
  const { layers, heads, rows, columns, special, steps } = shape;
  const before = Math.min(special, 1);
  const after = special - before;
  const wide = columns + special + GAP * ((before > 0) + (after > 0)); // in cells
  const firstWord = before && before + GAP;
  const hadFocus = root.contains(parentElement.activeElement ?? null);
  const same = (a, b) => a[0] === b[0] && a[1] === b[1];
  const numbers = ([layer, head]) => ({ layer: layer + 1, head: head + 1 });
  // The strongest word of a head; null while a class guesses.
  const peakOf = (index) => {
    if (!data.peaks.length) return null;
    const [row, column, value] = data.peaks[index];
    return { query: labels[row], key: labels[column], value };
  };
  let chosen = data.chosen;

  // ---------------------------------------------------------------- choosing
  const isChosen = (head) => chosen.some((other) => same(other, head));
  const choose = (set) => {
    chosen = set;
    mark();
    setTriggerValue("heads", set);
  };
  // Adds the heads to the mean; if all are in it already, takes them out. One head always stays.
  const toggle = (some) => {
    const without = chosen.filter((head) => !some.some((other) => same(other, head)));
    if (some.every(isChosen)) choose(without.length ? without : [some[0]]);
    else choose([...chosen, ...some.filter((head) => !isChosen(head))]);
  };
  // `first` is the one whose layer and head will be set.
  const act = (some, first, adding) => {
    if (adding || kept.many) toggle(some);
    else choose([first, ...some.filter((head) => !same(head, first))]);
  };

  const count = make("p", { className: "count" });
  count.setAttribute("role", "status");
  const hint = make("p", { className: "hint" });
  hint.setAttribute("role", "status");
  const many = make("button", { type: "button", title: texts.many_help }, texts.many);
  const only = make("button", { type: "button" });
  only.onclick = () => choose([chosen[0]]);
  many.onclick = () => {
    kept.many = !kept.many;
    mark();
  };

  // ---------------------------------------------------------------- the grid
  // table[0] holds the heads' numbers, table[i][0] the layers' numbers.
  const range = (n) => Array.from({ length: n }, (_, i) => i);
  const edge = (text, name, kind, some, first) => {
    const button = make("div", { className: `head ${kind}`, tabIndex: -1, title: name }, String(text));
    button.setAttribute("role", kind === "layer" ? "rowheader" : "columnheader");
    button.setAttribute("aria-label", name);
    return Object.assign(button, { act: (adding) => act(some(), first(), adding) });
  };
  const corner = make("div", { className: "corner" });
  corner.setAttribute("role", "columnheader");
  corner.append(texts.corner);
  const top = range(heads).map((head) =>
    edge(head + 1, say(texts.column, { head: head + 1 }), "", () => range(layers).map((l) => [l, head]), () => [chosen[0][0], head]),
  );
  const table = [[corner, ...top]];
  for (const layer of range(layers)) {
    const line = [
      edge(layer + 1, say(texts.row, { layer: layer + 1 }), "layer", () => range(heads).map((h) => [layer, h]), () => [layer, chosen[0][1]]),
    ];
    for (const head of range(heads)) {
      const cell = make("div", { className: "map", tabIndex: -1 }, make("canvas"));
      const peak = peakOf(layer * heads + head);
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-label", [say(texts.name, numbers([layer, head])), ...(peak ? [say(texts.peak, peak)] : [])].join(texts.stop));
      line.push(Object.assign(cell, { head: [layer, head], act: (adding) => act([[layer, head]], [layer, head], adding) }));
    }
    table.push(line);
  }
  const cells = table.slice(1).flatMap((line) => line.slice(1));

  const grid = make("div", { className: "grid" });
  grid.style.setProperty("--widest", layers > 1 ? "4rem" : "12.5rem");
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", texts.title);
  grid.setAttribute("aria-multiselectable", "true");
  grid.append(
    ...table.map((line) => {
      const row = make("div", {}, ...line);
      row.setAttribute("role", "row");
      return row;
    }),
  );
  const scroll = make("div", { className: "scroll" }, grid);
  scroll.style.setProperty("--heads", heads);

  let at = kept.at && table[kept.at[0]]?.[kept.at[1]] ? kept.at : [chosen[0][0] + 1, chosen[0][1] + 1];
  const place = (element) => {
    for (const [i, line] of table.entries()) if (line.includes(element)) return [i, line.indexOf(element)];
    return null;
  };
  const tab = (next) => {
    table[at[0]][at[1]].tabIndex = -1;
    kept.at = at = next;
    table[at[0]][at[1]].tabIndex = 0;
  };
  grid.addEventListener("focusin", ({ target }) => {
    tab(place(target) ?? at);
    if (target.head) show(target.head);
  });
  grid.addEventListener("focusout", () => show(chosen[0]));
  // A map that came under a resting mouse, because all was drawn anew or scrolled, is not pointed at.
  const resting = ({ clientX, clientY }) => kept.pointer === `${clientX},${clientY}`;
  root.onpointermove = ({ clientX, clientY }) => (kept.pointer = `${clientX},${clientY}`);
  grid.onpointerover = (event) => {
    const cell = event.target.closest(".map");
    if (cell && event.pointerType !== "touch" && !resting(event)) show(cell.head);
  };
  grid.onpointerleave = () => show(grid.contains(parentElement.activeElement) && table[at[0]][at[1]].head || chosen[0]);
  grid.onclick = (event) => {
    const target = event.target.closest(".map, .head");
    if (!target) return;
    tab(place(target));
    target.focus({ preventScroll: true });
    target.act(event.shiftKey || event.ctrlKey || event.metaKey);
  };
  grid.onkeydown = (event) => {
    const [i, j] = at;
    let next = null;
    if (event.key in MOVES) next = [i + MOVES[event.key][0], j + MOVES[event.key][1]];
    if (event.key === "Home") next = [i, 1];
    if (event.key === "End") next = [i, heads];
    if (event.key === "Enter" || event.key === " ") table[i][j].act(event.key === " ");
    else if (next === null) return;
    event.preventDefault();
    const element = next && table[next[0]]?.[next[1]];
    if (element && element !== corner) element.focus();
  };

  // ---------------------------------------------------------------- painting
  const strip = document.createElement("canvas"); // one pixel a cell, all maps below each other, without the gaps
  strip.width = columns + special;
  strip.height = rows * layers * heads;
  const ink = strip.getContext("2d");
  let shade = "";
  const color = () => {
    ink.fillStyle = getComputedStyle(root).getPropertyValue("--key").trim();
    return ink.fillStyle; // #rrggbb
  };
  // The weight is the opacity of the key's colour over the card: 0 is paper, 1 the full colour, straight between.
  const tint = () => {
    shade = color();
    const pixels = ink.createImageData(strip.width, strip.height);
    const [red, green, blue] = [1, 3, 5].map((i) => parseInt(shade.slice(i, i + 2), 16));
    kept.cells.forEach((cell, place) => {
      // They came column after column, a pixel's place is row after row.
      const [map, within] = [Math.floor(place / (rows * strip.width)), place % (rows * strip.width)];
      const i = (map * rows + (within % rows)) * strip.width + Math.floor(within / rows);
      pixels.data[4 * i] = red;
      pixels.data[4 * i + 1] = green;
      pixels.data[4 * i + 2] = blue;
      pixels.data[4 * i + 3] = (255 * cell) / steps;
    });
    ink.putImageData(pixels, 0, 0);
  };
  const paint = (canvas, [layer, head], side) => {
    canvas.width = canvas.height = side;
    const brush = canvas.getContext("2d");
    brush.imageSmoothingEnabled = false;
    const part = (from, n, to) => {
      const left = Math.round((to / wide) * side);
      const right = Math.round(((to + n) / wide) * side);
      if (n) brush.drawImage(strip, from, (layer * heads + head) * rows, n, rows, left, 0, right - left, side);
    };
    part(0, before, 0);
    part(before, columns, firstWord);
    part(before + columns, after, firstWord + columns + GAP);
    blank(brush, side);
  };
  // The row or column that a class guesses; a cell that stands for several words goes as a whole.
  const blank = (brush, side) => {
    const [row, column] = data.asked;
    const band = (word, n, from, whole) => {
      const at = Math.floor((word * n) / labels.length);
      const start = Math.round(((from + at) / whole) * side);
      return [start, Math.round(((from + at + 1) / whole) * side) - start];
    };
    if (row !== null) {
      const [top, height] = band(row, rows, 0, rows);
      brush.clearRect(0, top, side, height);
    }
    if (column !== null) {
      const [left, width] = band(column, columns, firstWord, wide);
      brush.clearRect(left, 0, width, side);
    }
  };
  const side = (canvas) => Math.max(1, Math.round(canvas.clientWidth * (devicePixelRatio || 1)));
  const paintAll = () => {
    if (color() !== shade) tint();
    const small = side(cells[0].firstChild); // all are of one size; asked once, before anything changes
    cells.forEach((cell) => paint(cell.firstChild, cell.head, small));
    paintBig();
  };

  // ---------------------------------------------------------------- the preview
  const preview = make("div", { className: "preview" });
  const big = make("div", { className: "big" }, make("canvas"));
  const frame = make("div", { className: "frame" });
  const rowAt = (row) => (100 * (row + 0.5)) / labels.length;
  const columnAt = (column) => {
    if (column === -1) return before ? 50 / wide : null;
    if (column < 0) return -column <= special ? (100 * (firstWord + columns + GAP + (-column - before) - 0.5)) / wide : null;
    return (100 * (firstWord + ((column + 0.5) * columns) / labels.length)) / wide;
  };
  if (labels.length <= LABELS_UP_TO) {
    const label = (text, side, percent, kind = "") => {
      const span = make("span", { title: text, className: kind }, text);
      span.style[side] = `${percent}%`;
      return span;
    };
    const names = labels.map((text, i) => label(text, "top", rowAt(i)));
    const over = labels.map((text, i) => label(text, "left", columnAt(i)));
    over.push(...data.specialNames.slice(0, special).map((text, i) => label(text, "left", columnAt(-1 - i), "special")));
    const longest = Math.min(5, Math.max(2, ...labels.map((text) => text.length)));
    const columnNames = make("div", { className: "columns" }, ...over);
    const rowNames = make("div", { className: "rows" }, ...names);
    columnNames.style.setProperty("--tall", `${longest + 0.6}em`);
    rowNames.style.width = `${longest}em`;
    frame.append(columnNames, rowNames);
  }
  frame.append(big);
  let shown = chosen[0];
  const paintBig = () => paint(big.firstChild, shown, side(big.firstChild));
  const words = make("div");
  const name = make("p", { className: "name" });
  preview.append(name, frame, words);
  const notes = (index) => {
    const [value, mostly] = data.held[index] ?? [];
    const first = value === undefined ? [] : [say(mostly ? texts.held_most : texts.held, { value })];
    const measured = data.known[index]?.map(([question, share]) => say(data.questions[question], { share }));
    return [...first, ...(measured ?? [texts.nothing])];
  };
  const show = (head) => {
    shown = head;
    const index = head[0] * heads + head[1];
    const peak = peakOf(index);
    name.replaceChildren(say(texts.name, numbers(head)), " ", make("span", { className: "number" }, say(texts.short, numbers(head))));
    const strongest = peak && fill(texts.peak, peak, { query: "query", key: "key", value: "number" });
    words.replaceChildren(
      ...(strongest ? [make("p", { className: "peak" }, ...strongest)] : []),
      ...notes(index).map((line) => make("p", { className: "note" }, line)),
    );
    if (shade) paintBig();
  };
  big.onpointermove = (event) => {
    if (resting(event)) return;
    const box = big.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / box.height) * labels.length);
    const x = ((event.clientX - box.left) / box.width) * wide;
    const inside = Math.floor(((x - firstWord) * labels.length) / columns);
    const column = x < before ? -1 : x >= wide - after ? -1 - before - Math.floor(x - (wide - after)) : inside;
    const word = column < labels.length && (column < 0 ? x < before || x >= wide - after : true);
    point(row, word ? column : null);
    announce("maps", row, word ? column : null);
  };
  big.onpointerleave = () => {
    point(null, null);
    announce("maps", null, null);
  };

  const point = (row, column) => {
    const there = column === null || column === undefined ? null : columnAt(column);
    const rowThere = row !== null && row !== undefined && row >= 0 && row < labels.length;
    body.classList.toggle("row-pointed", rowThere);
    body.classList.toggle("column-pointed", there !== null);
    if (rowThere) body.style.setProperty("--row-at", `${rowAt(row)}%`);
    if (there !== null) body.style.setProperty("--column-at", `${there}%`);
  };

  function mark() {
    const several = chosen.length > 1;
    for (const cell of cells) {
      const index = chosen.findIndex((head) => same(head, cell.head));
      cell.setAttribute("aria-selected", String(index >= 0));
      cell.classList.toggle("main", index === 0);
    }
    table[0].forEach((element, i) => element.classList.toggle("here", i - 1 === chosen[0][1]));
    table.slice(1).forEach(([element], i) => element.classList.toggle("here", i === chosen[0][0]));
    count.className = several ? "count several" : "count";
    count.textContent = say(several ? texts.several : texts.one, { count: chosen.length, ...numbers(chosen[0]) });
    many.setAttribute("aria-pressed", String(kept.many));
    hint.textContent = kept.many ? texts.many_hint : "";
    hint.hidden = !kept.many;
    only.hidden = !several;
    only.textContent = say(texts.only, numbers(chosen[0]));
    show(chosen[0]);
  }

  // The maps of a single layer are large enough themselves: no preview, only what is to say about one.
  const body = make("div", { className: layers > 1 ? "body" : "body single" }, scroll, preview);
  mark();
  tab(at);
  root.replaceChildren(make("div", { className: "bar" }, count, only, many, hint), body);
  scroll.scrollLeft = kept.scroll;
  const { offsetLeft, offsetWidth } = table[chosen[0][0] + 1][chosen[0][1] + 1];
  const seen = offsetLeft - table[1][0].offsetWidth >= scroll.scrollLeft && offsetLeft + offsetWidth <= scroll.scrollLeft + scroll.clientWidth;
  if (!seen && !hadFocus) scroll.scrollLeft = offsetLeft + offsetWidth / 2 - scroll.clientWidth / 2;
  scroll.onscroll = () => (kept.scroll = scroll.scrollLeft);
  if (hadFocus && kept.at) table[at[0]][at[1]].focus({ preventScroll: true });

  const sizes = new ResizeObserver(paintAll); // its first call comes before the first painting
  sizes.observe(grid);
  sizes.observe(big);
  const theme = new MutationObserver(() => requestAnimationFrame(() => color() !== shade && paintAll()));
  theme.observe(document.querySelector(".stApp"), { attributes: true, attributeFilter: ["class", "style"] });
  return [() => sizes.disconnect(), () => theme.disconnect(), follow("maps", point)];
}
