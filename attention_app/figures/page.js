// Inside the stand-alone page: point at a word or a cell, and lines, bars, row, column and the sentence follow.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { columns, rows, weights, direction, words } = data;
const lines = document.querySelector("#lines svg");
const cells = document.querySelector("#cells svg");
const said = document.getElementById("said");
const looksOut = direction === "out";
const shown = (weight) => (data.numbers ? (weight + 1e-9).toFixed(data.decimals) : "?"); // as on the screen
const columnOf = (word) => columns.findIndex((column) => !column.special && column.index === word);

const draw = (tag, attributes, content) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (content !== undefined) element.textContent = content;
  return element;
};

// What the word `chosen` gives to the column (out), or gets from it (in); null: a special token looks at nobody.
const between = (chosen, column) => {
  if (looksOut) return weights[chosen][column];
  return columns[column].special ? null : weights[columns[column].index][columnOf(chosen)];
};

// ------------------------------------------------------------------------------------------------ the lines

const arcGroup = lines.querySelector(".arcs");
const wordGroups = [...lines.querySelectorAll(".word")];
const places = data.lines.x;
const base = data.lines.base;

const handle = (distance) => (distance === 0 ? 46 : 34 + 266 * Math.min(1, distance / 900) ** 0.75);

function arc(from, to) {
  const y = base - 26;
  const rise = y - handle(Math.abs(to - from));
  if (from === to) return `M${from - 7} ${y}C${from - 34} ${rise} ${from + 34} ${rise} ${from + 7} ${y}`;
  return `M${from} ${y}C${from} ${rise} ${to} ${rise} ${to} ${y}`;
}

function arcsOf(chosen, partner) {
  return columns.flatMap((column, i) => {
    const weight = between(chosen, i);
    if (weight === null || weight < Math.max(data.least, 1e-9)) return [];
    const ends = [places[columnOf(chosen)], places[i]];
    const path = draw("path", {
      d: looksOut ? arc(...ends) : arc(ends[1], ends[0]),
      "stroke-width": 1.2 + 12.8 * weight,
      "stroke-opacity": 0.28 + 0.72 * weight,
    });
    if (partner !== null && partner !== i) path.setAttribute("class", "pale");
    return [path];
  });
}

function showLines(chosen, partner) {
  const everyone = chosen === null ? rows.map((_, i) => i) : [chosen];
  arcGroup.replaceChildren(...everyone.flatMap((row) => arcsOf(row, partner)));
  columns.forEach((column, i) => {
    const [word] = wordGroups[i].children;
    const isChosen = chosen !== null && !column.special && column.index === chosen;
    const fill = isChosen ? "query" : i === partner ? "key" : column.special ? "soft" : "ink";
    word.setAttribute("fill", `var(--${fill})`);
    word.setAttribute("font-weight", isChosen || i === partner ? 700 : 400);
    const weight = chosen === null ? null : between(chosen, i);
    wordGroups[i].replaceChildren(word, ...(weight === null ? [] : bar(places[i], weight)));
  });
}

function bar(x, weight) {
  const top = base + 14;
  const high = Math.max(1, weight * 62);
  const place = { x: x - 15, y: top, width: 30, height: high, rx: Math.min(4, high / 2) };
  return [
    draw("rect", { ...place, fill: "var(--key)", "fill-opacity": 0.25 + 0.75 * weight }),
    draw("text", { x, y: top + high + 17, "font-size": 13, fill: "var(--soft)", class: "number" }, shown(weight)),
  ];
}

// ---------------------------------------------------------------------------------------------- the heatmap

const grid = data.cells;
const [rowNames, columnNames] = [".rows", ".columns"].map((name) => [...cells.querySelectorAll(`${name} text`)]);
const rings = draw("g", { fill: "none", "stroke-width": 2.5 });
cells.querySelector(".ring")?.remove();
cells.append(rings);

function ring(role, x, y, width, height) {
  rings.append(draw("rect", { x, y, width, height, rx: 4, stroke: `var(--${role})` }));
}

function showCells(row, column) {
  rings.replaceChildren();
  const high = grid.cell_height * rows.length;
  if (column !== null) ring(looksOut ? "key" : "query", grid.x[column], grid.top, grid.cell_width, high);
  if (row !== null) {
    const wide = grid.x.at(-1) + grid.cell_width - grid.left;
    ring(looksOut ? "query" : "key", grid.left, grid.top + grid.cell_height * row, wide, grid.cell_height);
  }
  const mark = (names, at, role, usual) =>
    names.forEach((name, i) => {
      name.setAttribute("fill", `var(--${i === at ? role : usual(i)})`);
      name.setAttribute("font-weight", i === at ? 700 : 400);
    });
  mark(rowNames, row, looksOut ? "query" : "key", () => "ink");
  mark(columnNames, column, looksOut ? "key" : "query", (i) => (columns[i].special ? "soft" : "ink"));
}

// ------------------------------------------------------------------------------------------- what is said

// A sentence whose fields {word}, {key} ... become elements that carry their role; never markup.
function sentence(template, values) {
  return template.split(/\{(\w+)\}/).map((part, i) => {
    if (i % 2 === 0) return part;
    const element = document.createElement("span");
    element.className = { word: "query", query: "query", key: "key", key2: "key" }[part] ?? "number";
    element.textContent = values[part];
    return element;
  });
}

function say(chosen, row, column) {
  said.replaceChildren();
  if (chosen === null) return;
  const ranked = columns
    .map((one, i) => [one.name, between(chosen, i)])
    .filter(([, weight]) => weight !== null)
    .sort((a, b) => b[1] - a[1]);
  const [[key, value], [key2, value2] = []] = ranked;
  const values = { word: rows[chosen], key, value: shown(value), key2, value2: shown(value2 ?? 0) };
  const template = ranked.length < 2 ? words.row_only : looksOut ? words.row_out : words.row_in;
  said.append(...sentence(template, values));
  if (row === null || column === null) return;
  const line = document.createElement("span");
  line.className = "cell";
  const cell = { query: rows[row], key: columns[column].name, value: shown(weights[row][column]) };
  line.append(...sentence(words.cell, cell));
  said.append(line);
}

// ---------------------------------------------------------------------------------- one look for everything

let kept = data.chosen; // the word that stays when nothing is pointed at

// chosen: a word; partner: a column (out) or the column of a looking word (in); null is none.
function look(chosen, partner = null) {
  showLines(chosen, partner);
  const other = partner === null ? null : looksOut ? partner : columns[partner].index;
  const [row, column] = looksOut ? [chosen, other] : [other, chosen === null ? null : columnOf(chosen)];
  showCells(row, column);
  say(chosen, row, column);
}
const rest = () => look(kept);

wordGroups.forEach((group, i) => {
  const { special, index, name } = columns[i];
  const point = () => (special ? kept !== null && look(kept, looksOut ? i : null) : look(index));
  group.setAttribute("aria-label", name);
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", special ? -1 : 0);
  group.addEventListener("pointerenter", point);
  group.addEventListener("focus", point);
  group.addEventListener("pointerleave", rest);
  group.addEventListener("blur", rest);
  const keep = () => !special && ((kept = index), look(index));
  group.addEventListener("click", keep);
  group.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") keep();
    else if (step && wordGroups[i + step]?.tabIndex === 0) wordGroups[i + step].focus();
    else return;
    event.preventDefault();
  });
});

const lookAt = (row, column) => {
  if (looksOut) look(row, column);
  else if (!columns[column].special) look(columns[column].index, columnOf(row));
};

let at = null; // the cell that keys have reached

function cellUnder(event) {
  const box = cells.getBoundingClientRect();
  const scale = cells.viewBox.baseVal.width / box.width;
  const x = (event.clientX - box.left) * scale;
  const row = Math.floor(((event.clientY - box.top) * scale - grid.top) / grid.cell_height);
  const column = grid.x.findIndex((left) => x >= left && x < left + grid.cell_width);
  return row >= 0 && row < rows.length && column >= 0 ? [row, column] : null;
}

const pointAt = (event) => {
  const cell = cellUnder(event);
  if (cell) lookAt(...(at = cell));
  else rest();
};
cells.addEventListener("pointermove", pointAt);
cells.addEventListener("pointerdown", pointAt);
cells.addEventListener("pointerleave", rest);
cells.addEventListener("blur", rest);
cells.setAttribute("tabindex", 0);
cells.setAttribute("role", "application");
cells.setAttribute("aria-label", words.grid);
cells.addEventListener("focus", () => lookAt(...(at ??= [kept ?? 0, columnOf(0)])));
cells.addEventListener("keydown", (event) => {
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [];
  if (down === undefined) return;
  event.preventDefault();
  const within = (value, count) => Math.max(0, Math.min(count - 1, value));
  at = [within(at[0] + down, rows.length), within(at[1] + right, columns.length)];
  lookAt(...at);
});

wordGroups.forEach((group) => group.setAttribute("pointer-events", "bounding-box"));
rest();
// A long line opens on its chosen word.
const scroll = lines.parentElement;
if (kept !== null) scroll.scrollLeft = places[columnOf(kept)] - scroll.clientWidth / 2;
