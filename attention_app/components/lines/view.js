// The words stand in one line; what is drawn above and below belongs to one word, the "centre": the row of a word that
// looks (direction "out") or the column of one that is looked at ("in"). Without a centre all lines are drawn, faintly.
// While the numbers are hidden the class still guesses: all lines of a word are equal, and no word is the strongest.

const MARKS = 2000; // more shapes than that are neither readable nor quick
const BAR = 40; // px, a weight of 1
const EQUAL = 0.12; // the weight that every line seems to have while the class guesses
const LOOSE_GAP = 96; // px, the most between two words: a short sentence is not torn apart
// Sizes to try, largest first: font, gap and least column in px. What does not fit at the last one scrolls.
const SIZES = [
  { font: 21, gap: 22, column: 40 },
  { font: 20, gap: 12, column: 34 },
  { font: 18, gap: 8, column: 30 },
  { font: 16, gap: 5, column: 25 },
  { font: 15, gap: 3, column: 24 },
];
const SCROLLED = { font: 18, gap: 12, column: 34 };
const fontOf = (column, size) => (column < 0 ? Math.max(12.5, size.font * 0.8) : size.font); // special tokens are smaller

const shape = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { labels, specials, view, texts } = data;
  const usual = matchMedia("(pointer: coarse)").matches ? texts.touch : texts.aid;
  const out = view.direction === "out";
  const n = labels.length;
  const m = specials.length;
  const words = labels.map((_, index) => index);
  const columns = m ? [-1, ...words, ...specials.slice(1).map((_, i) => -2 - i)] : words;
  const name = (column) => (column < 0 ? specials[-1 - column] : labels[column]);
  const weight = (row, column) => (column < 0 ? data.special[row * m - 1 - column] : data.weights[row * n + column]);
  shelf.numbers = { labels, specials, columns, name, weight, decimals: view.decimals, shown: view.numbers };
  document.dispatchEvent(new Event("attn:numbers"));

  const shown = (whole) => digits(whole, view.decimals);
  // The weight between the centre and another word; null: a special token looks at nobody here.
  const between = (centre, other) => (out ? weight(centre, other) : other < 0 ? null : weight(other, centre));
  const strongest = (centre) =>
    words.reduce((best, other) => (between(centre, other) > between(centre, best) ? other : best), 0);

  const canCentre = (column) => column !== null && (column >= 0 || !out);
  let centre = view.chosen;
  let marked = null;
  let place = null; // x of each column, and the sizes, once they are laid out
  const focused = parentElement.activeElement?.dataset?.row;

  const arcs = shape("g", { "aria-hidden": "true" });
  const bars = shape("g", { "aria-hidden": "true" });
  const picture = shape("svg", { role: "listbox", "aria-label": texts.group, "aria-orientation": "horizontal" });
  const scroller = make("div", { className: "scroller" }, picture);
  const aid = make("p", { className: "aid" });
  const said = make("p", { className: "said" });
  said.setAttribute("aria-live", "polite");
  said.append(...data.said.map(({ text, role }) => make("span", { className: role, textContent: text })));

  const groups = new Map(columns.map((column) => [column, group(column)]));
  picture.append(arcs, ...groups.values(), bars);
  root.replaceChildren(scroller, said, aid);

  function group(column) {
    const text = shape("text", {}, name(column));
    const hit = shape("rect", { class: "hit" });
    const made = shape("g", { class: column < 0 ? "token" : "word" }, hit, text);
    made.onpointerenter = (event) => event.pointerType !== "touch" && point(column);
    made.onpointerleave = (event) => event.pointerType !== "touch" && rest();
    if (column < 0) return made;
    made.dataset.row = column;
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", String(column === view.chosen));
    made.setAttribute("aria-label", spoken(column));
    made.setAttribute("tabindex", column === (view.chosen ?? 0) ? 0 : -1);
    made.onclick = () => setTriggerValue("pick", column);
    made.onfocus = () => made.matches(":focus-visible") && point(column);
    made.onblur = rest;
    return made;
  }

  // A row as a sentence, for those who hear the picture; while the class guesses, the word alone.
  function spoken(word) {
    if (!view.numbers) return labels[word];
    const others = columns.filter((other) => between(word, other) !== null);
    others.sort((a, b) => between(word, b) - between(word, a));
    const items = others.slice(0, 5).map((other) => {
      return filled(texts.item, { word: name(other), number: shown(between(word, other)) });
    });
    return filled(texts.option, { word: labels[word], list: items.join(texts.separator) });
  }

  function point(column) {
    if (!canCentre(column)) {
      announce("lines", null, column);
      return look(view.chosen, column);
    }
    if (out) announce("lines", column, null);
    else announce("lines", null, column);
    look(column, null);
  }

  function rest() {
    announce("lines", null, null);
    look(view.chosen, null);
  }

  function look(newCentre, newMarked) {
    if (newCentre === centre && newMarked === marked) return;
    const moved = newCentre !== centre;
    centre = newCentre;
    root.classList.toggle("elsewhere", centre !== view.chosen); // the sentence speaks of the locked word
    marked = newMarked;
    draw(moved);
  }

  picture.onkeydown = (event) => {
    const at = Number(event.target.dataset?.row ?? NaN);
    if (Number.isNaN(at)) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: n - 1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") setTriggerValue("pick", at);
    else if (to === undefined) return;
    else focus(Math.min(n - 1, Math.max(0, to)));
    event.preventDefault();
  };

  function focus(word) {
    words.forEach((other) => groups.get(other).setAttribute("tabindex", other === word ? 0 : -1));
    groups.get(word).focus({ preventScroll: true });
    reveal(word);
  }

  // ------------------------------------------------------------------------------------------------- layout

  function layOut() {
    // Drawn in px of 16 to the rem and enlarged as a whole: presenter mode makes the rem larger.
    const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const room = root.clientWidth / zoom;
    if (!room) return;
    const pen = document.createElement("canvas").getContext("2d");
    const family = getComputedStyle(root).fontFamily;
    const widths = (size) =>
      columns.map((column) => {
        pen.font = `700 ${fontOf(column, size)}px ${family}`;
        return Math.max(size.column, pen.measureText(name(column)).width);
      });
    const total = (size) => widths(size).reduce((sum, width) => sum + width + size.gap, size.gap);
    const size = SIZES.find((tried) => total(tried) <= room) ?? SCROLLED;
    const free = Math.max(0, room - total(size));
    const gap = Math.min(LOOSE_GAP, size.gap + free / (columns.length + 1));
    const columnWidths = widths(size);
    const width = columnWidths.reduce((sum, one) => sum + one + gap, gap);
    const x = new Map();
    let from = gap;
    columns.forEach((column, i) => {
      x.set(column, from + columnWidths[i] / 2);
      from += columnWidths[i] + gap;
    });
    pen.font = `13px ${family}`;
    const numberWidth = pen.measureText(shown(0)).width + 3;
    const low = room < 400 || innerHeight / zoom < 800; // a phone, a small notebook: the sentence below is to be seen
    const height = Math.min(low ? 120 : 164, 96 + 7 * columns.length); // of the arcs
    const longest = x.get(columns.at(-1)) - x.get(columns[0]);
    const top = height + 10;
    const byColumn = new Map(columns.map((column, i) => [column, columnWidths[i]]));
    place = { x, widths: byColumn, gap, height, top, longest, numberWidth, zoom };

    const line = size.font * 1.7; // of the words
    const bottom = top + line + (view.numbers ? 20 : 4) + BAR + 6;
    picture.setAttribute("width", width * zoom);
    picture.setAttribute("height", bottom * zoom);
    picture.setAttribute("viewBox", `0 0 ${width} ${bottom}`);
    place.under = top + line;
    for (const [column, made] of groups) {
      const wide = place.widths.get(column) + Math.min(gap, 16);
      const [hit, text] = made.children;
      const box = { x: x.get(column) - wide / 2, y: top, width: wide, height: line };
      for (const [key, value] of Object.entries(box)) hit.setAttribute(key, value);
      text.setAttribute("x", x.get(column));
      text.setAttribute("y", top + line * 0.7);
      text.setAttribute("font-size", fontOf(column, size));
    }
    place.scrolls = width * zoom > root.clientWidth + 4;
    if (centre !== null) reveal(centre, view.numbers ? strongest(centre) : centre);
    edges();
  }

  // Bring a word into view, with another one where both fit.
  function reveal(column, other = column) {
    const x = (one) => place.x.get(one) * place.zoom;
    const fits = Math.abs(x(column) - x(other)) + 140 <= scroller.clientWidth;
    const ends = [x(column), x(fits ? other : column)].sort((a, b) => a - b);
    const [left, right] = [scroller.scrollLeft, scroller.scrollLeft + scroller.clientWidth];
    if (ends[0] - 70 < left || ends[1] + 70 > right) scroller.scrollLeft = (ends[0] + ends[1] - scroller.clientWidth) / 2;
  }

  function edges() {
    const hidden = scroller.scrollWidth - scroller.clientWidth - scroller.scrollLeft;
    scroller.classList.toggle("more-left", scroller.scrollLeft > 4);
    scroller.classList.toggle("more-right", hidden > 4);
  }
  scroller.onscroll = edges;

  // ---------------------------------------------------------------------------------------------- the picture

  function draw(grow) {
    if (!place) return;
    const least = (view.least * UNIT) / 100;
    const strong = centre === null || !view.numbers ? null : strongest(centre);
    for (const [column, made] of groups) {
      const isCentre = column === centre;
      const isStrong = column === strong && between(centre, strong) > 0 && !isCentre;
      made.classList.toggle("query", out ? isCentre : isStrong);
      made.classList.toggle("key", out ? isStrong : isCentre);
      made.classList.toggle("marked", column === marked);
      made.classList.toggle("as-query", !out);
    }
    const pairs =
      centre === null
        ? (view.numbers ? words : []).flatMap((row) => columns.map((column) => [row, column]))
        : columns
            .filter((other) => between(centre, other) !== null)
            .map((other) => (out ? [centre, other] : [other, centre]));
    const drawn = view.numbers
      ? pairs.filter(([row, column]) => weight(row, column) >= least && weight(row, column) > 0)
      : pairs;
    if (view.numbers) drawn.sort((a, b) => weight(...a) - weight(...b)); // the strongest last, on top
    const most = MARKS - 3 * columns.length;
    const kept = drawn.slice(Math.max(0, drawn.length - most));
    arcs.setAttribute("opacity", centre === null && kept.length > 300 ? 0.55 : 1); // a crowd is drawn more faintly
    arcs.replaceChildren(...kept.map(([row, column]) => arc(row, column)));
    arcs.classList.toggle("grow", false);
    if (grow) {
      void arcs.getBBox(); // starts the animation anew
      arcs.classList.add("grow");
    }
    bars.replaceChildren(...(centre === null ? [] : below()));
    const cut = kept.length < drawn.length && filled(texts.capped, { count: kept.length });
    const how = cut || (kept.length || !pairs.length ? usual : texts.nothing);
    aid.replaceChildren(...(place.scrolls ? [make("strong", {}, texts.scrolls), " "] : []), how);
  }

  function arc(row, column) {
    const value = view.numbers ? weight(row, column) / UNIT : EQUAL;
    const { x, top, height, longest } = place;
    let [from, to] = [x.get(row), x.get(column)];
    const faint = centre === null;
    const other = out ? column : row;
    const dim = marked !== null && other !== marked && !faint ? 0.45 : 1;
    const line = {
      class: "arc",
      pathLength: 1,
      "stroke-width": faint ? 0.6 + 8 * value : 1.2 + 12.8 * value,
      opacity: (faint ? 0.06 + 0.6 * value : 0.28 + 0.72 * value) * dim,
    };
    const y = top - 1;
    if (row === column) {
      const up = height * 0.36;
      return shape("path", { ...line, d: `M${from - 6},${y} C${from - 30},${y - up} ${from + 30},${y - up} ${from + 6},${y}` });
    }
    // Arcs leave their word side by side, not all from one point.
    if (!faint) {
      const spread = Math.min(place.widths.get(centre) * 0.3, 11) * Math.sign(x.get(other) - x.get(centre));
      if (out) from += spread;
      else to += spread;
    }
    const far = Math.abs(from - to) / Math.min(Math.max(360, longest), 1300);
    const up = (height - 8) * Math.min(1, 0.3 + 0.72 * far ** 0.75) * (4 / 3); // a Bézier curve reaches 3/4 of it
    return shape("path", { ...line, d: `M${from},${y} C${from},${y - up} ${to},${y - up} ${to},${y}` });
  }

  // Number and bar under each word; where numbers would touch, the larger one stands.
  function below() {
    const made = [];
    const taken = [];
    const others = columns.filter((other) => between(centre, other) !== null);
    const strong = strongest(centre);
    others.sort((a, b) => (b === marked) - (a === marked) || between(centre, b) - between(centre, a));
    for (const other of others) {
      const x = place.x.get(other);
      const value = between(centre, other) / UNIT;
      const wide = Math.min(30, place.widths.get(other));
      const from = place.under + (view.numbers ? 20 : 4);
      const bar = { x: x - wide / 2, y: from, width: wide, height: Math.max(1.5, BAR * value), rx: Math.min(4, 1 + BAR * value / 2) };
      if (view.numbers) made.push(shape("rect", { ...bar, class: other < 0 ? "bar token" : "bar", opacity: 0.25 + 0.75 * value }));
      if (view.numbers && !taken.some((at) => Math.abs(at - x) < place.numberWidth)) {
        taken.push(x);
        const mark = other === strong || other === marked ? "value strong" : "value";
        made.push(shape("text", { class: mark, x, y: place.under + 12 }, shown(between(centre, other))));
      }
      const area = { class: "below", x: x - place.widths.get(other) / 2 - place.gap / 2, y: place.under };
      const zone = shape("rect", { ...area, width: place.widths.get(other) + place.gap, height: BAR + 26 });
      zone.onpointerenter = (event) => event.pointerType !== "touch" && pointCell(other);
      zone.onpointerleave = (event) => event.pointerType !== "touch" && rest();
      if (other >= 0) zone.onclick = () => setTriggerValue("pick", other); // a finger needs the room
      made.push(zone);
    }
    return made;
  }

  function pointCell(other) {
    announce("lines", out ? centre : other, out ? other : centre);
    marked = other; // and no redrawing: the zone stays under the pointer
    for (const [column, made] of groups) made.classList.toggle("marked", column === other);
  }

  // ------------------------------------------------------------------------------------------- start and end

  layOut();
  const picturesKey = JSON.stringify([view.chosen, view.direction, view.least, view.numbers, data.weights.length, data.weights.slice(0, 400)]);
  draw(root.dataset.drawn !== picturesKey); // the same arcs do not grow again
  root.dataset.drawn = picturesKey;
  if (focused !== undefined && groups.has(Number(focused))) focus(Number(focused));

  const unfollow = follow("lines", (row, column) => {
    const [asCentre, asMark] = out ? [row, column] : [column, row];
    if (asCentre !== null && canCentre(asCentre) && groups.has(asCentre)) look(asCentre, asMark);
    else look(view.chosen, asMark);
  });
  let width = root.clientWidth;
  const resized = new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    layOut();
    draw(false);
  });
  resized.observe(root);
  return () => {
    unfollow();
    resized.disconnect();
  };
}
