// Boxes from below to above, as in figure 1 of the 2017 paper; [row, what it is]. A tag is the name of a frame.
const ENCODER = { embedding: 1, positions: 2, attention: 3, norm_attn: 4, ffn: 5, norm_ffn: 6, encoder: 7 };
const DECODER = {
  target: 1, target_positions: 2, masked: 3, norm_masked: 4, cross: 5, norm_cross: 6, target_ffn: 7, norm_target: 8, decoder: 9,
  linear: 10, softmax: 11,
};
const ROWS = 13;
const FORKS = ["attention", "masked", "cross"]; // below them Q, K and V part
const TAGS = ["encoder", "decoder"];
const FRAMES = { encoder: ["attention", "encoder"], decoder: ["masked", "decoder"] };
const RESIDUALS = { norm_attn: "attention", norm_ffn: "ffn", norm_masked: "masked", norm_cross: "cross", norm_target: "target_ffn" };
const PACE = 2200; // ms a step while playing
const ICONS = {
  play: "M4 2l10 6-10 6z", pause: "M3 2h4v12H3zM9 2h4v12H9z", back: "M11 2v12L3 8z", next: "M5 2l8 6-8 6z", start: "M3 2h2v12H3zM14 2v12L6 8z",
};
const SVG = "http://www.w3.org/2000/svg";
const drawn = (tag, attributes, text = "") => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  return element;
};

// Where everything stands for a width, in px; `rem` is the size of type.
function layout(width, rem, noted) {
  const narrow = width < 28 * rem;
  const side = (narrow ? 1.1 : 1.6) * rem; // for the frame and the residual beside the boxes
  const middle = (narrow ? 1.7 : 2.9) * rem;
  const box = Math.min(17 * rem, (width - 2 * side - middle) / 2);
  const whole = 2 * (box + side) + middle;
  const height = (narrow ? 3.1 : 2.6) * rem;
  const end = height + (noted ? 1.25 * rem : 0); // what goes in and comes out, with a line on what kind of sentence it is
  const gap = 0.8 * rem;
  const fork = 1.7 * rem; // instead of the gap below Q, K and V
  const tag = (name) => (narrow && name === "decoder" ? 2.9 : 1.9) * rem; // what was not trained says so below its name
  const rowHeight = (name) => (TAGS.includes(name) ? tag(name) : height);
  const places = {};
  const heights = [];
  for (const [column, left] of [[ENCODER, side], [DECODER, side + box + middle]]) {
    let y = end + gap; // from below; the words that go in are the lowest row
    for (const name of Object.keys(column)) {
      y += FORKS.includes(name) ? fork - gap : 0;
      y += name in { attention: 0, masked: 0, linear: 0 } ? 0.7 * rem : 0; // room for the frame's edge
      places[name] = { left, width: box, low: y, high: y + rowHeight(name) };
      y += rowHeight(name) + gap;
    }
    heights.push(y + end);
  }
  const total = Math.max(...heights);
  for (const place of Object.values(places)) {
    [place.top, place.bottom] = [total - place.high, total - place.low];
    place.centre = place.left + place.width / 2;
  }
  return { narrow, side, middle, box, whole, end, gap, fork, total, places, rem };
}

// The lines that lead into each box: lists of [path, class] and, for letters, [x, y, letter, class].
function edges(at) {
  const { places, gap, fork, total, end, side, middle, rem } = at;
  const round = 0.5 * rem;
  const into = {};
  const tip = (x, y, kind) => [`M${x - 4.5} ${y + 8}L${x} ${y}L${x + 4.5} ${y + 8}z`, `tip ${kind}`];
  const across = (x, y, way, kind) => [`M${x - way * 8} ${y - 4.5}L${x} ${y}L${x - way * 8} ${y + 4.5}z`, `tip ${kind}`];
  const up = (x, from, to, kind = "") => [[`M${x} ${from}V${to + 6}`, kind], tip(x, to, kind)];
  for (const column of [ENCODER, DECODER]) {
    const names = Object.keys(column).filter((name) => !TAGS.includes(name));
    names.forEach((name, i) => {
      const place = places[name];
      const below = i ? places[names[i - 1]].top : total - end;
      if (!FORKS.includes(name)) {
        into[name] = { paths: up(place.centre, below, place.bottom), letters: [] };
        return;
      }
      const spread = place.width / 4;
      const parting = place.bottom + fork * 0.72;
      const lanes = name === "cross" ? [["query", "Q", spread]] : [["value", "V", -spread], ["key", "K", 0], ["query", "Q", spread]];
      const paths = [[`M${place.centre} ${below}V${parting}`, ""]];
      const letters = [];
      for (const [kind, letter, by] of lanes) {
        const x = place.centre + by;
        paths.push([`M${place.centre} ${parting}H${x}V${place.bottom + 6}`, kind], tip(x, place.bottom, kind));
        letters.push([x + 0.6 * rem, place.bottom + fork * 0.55, letter, kind]);
      }
      into[name] = { paths, letters };
    });
  }
  // What the encoder found goes to the decoder's second attention: its keys and values.
  const [last, cross] = [places.norm_ffn, places.cross];
  const lane = places.norm_ffn.left + last.width + side + (middle - 2 * side) / 2;
  const roof = places.encoder.top - gap;
  const fallTo = cross.bottom + fork * 0.72;
  into.encoder = { paths: [], letters: [] };
  into.decoder = { paths: [], letters: [] };
  const start = `M${last.centre} ${places.encoder.top}V${roof + round}Q${last.centre} ${roof} ${last.centre + round} ${roof}H${lane - round}Q${lane} ${roof} ${lane} ${roof + round}`;
  for (const [kind, letter, by] of [["value", "V", -cross.width / 4], ["key", "K", 0]]) {
    const x = cross.centre + by;
    const turn = fallTo - (kind === "key" ? 0 : 0.35 * rem);
    into.cross.paths.push([`${start}V${turn}H${x}V${cross.bottom + 6}`, kind], tip(x, cross.bottom, kind));
    into.cross.letters.push([x + 0.6 * rem, cross.bottom + fork * 0.4, letter, kind]);
  }
  // Residuals: from below a sublayer around it into the side of Add & Norm.
  for (const [name, around] of Object.entries(RESIDUALS)) {
    const [to, from] = [places[name], places[around]];
    const way = name in ENCODER ? 1 : -1;
    const edge = way > 0 ? to.left : to.left + to.width;
    const out = edge - way * (at.narrow ? 0.55 : 0.95) * rem;
    const low = from.bottom + (FORKS.includes(around) ? fork * 0.86 : gap * 0.6);
    const middleOf = (to.top + to.bottom) / 2;
    const path = `M${to.centre} ${low}H${out + way * round}Q${out} ${low} ${out} ${low - round}V${middleOf + round}Q${out} ${middleOf} ${out + way * round} ${middleOf}H${edge - way * 6}`;
    into[name].paths.push([path, "residual"], across(edge, middleOf, way, ""));
  }
  return into;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { boxes, texts } = data;
  const names = boxes.map(({ name }) => name);
  const focused = parentElement.activeElement?.dataset?.name;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  // The way that is being played outlives a new drawing; another open box is where it goes on.
  const memory = root.playing?.chosen === data.chosen ? root.playing : { chosen: data.chosen, at: names.indexOf(data.chosen), running: false };
  root.playing = memory;
  let timer = 0;
  let width = 0;

  const drawing = make("div", { className: "drawing" });
  drawing.setAttribute("role", "group");
  drawing.setAttribute("aria-label", texts.title);
  const lines = drawn("svg", { "aria-hidden": "true" });
  const frames = Object.keys(FRAMES).map((name) => make("div", { className: name === "decoder" ? "frame raw" : "frame" }));
  const buttons = boxes.map(({ name, label, shape }) => {
    const made = make("button", { type: "button", className: TAGS.includes(name) ? "box tag" : "box" }, make("b", {}, label));
    if (shape) made.append(make("small", {}, shape));
    if (name === "decoder") made.append(make("em", {}, texts.untrained));
    made.dataset.name = name;
    made.setAttribute("aria-pressed", String(name === data.chosen));
    made.onclick = () => open(name);
    made.onkeydown = (event) => walk(event, name);
    return made;
  });
  const ends = ["source", "target", "out"].map((end) => {
    const made = make("div", { className: `end ${end}`, title: data.ends[end] }, make("span", {}, data.ends[end]));
    if (data.ends.note && end !== "source") made.append(make("small", {}, data.ends.note));
    return made;
  });
  const player = make("div", { className: "player" });
  player.setAttribute("role", "group");
  player.setAttribute("aria-label", texts.play);
  const controls = make("div", { className: "buttons" });
  const control = (name, act) => {
    const icon = drawn("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
    icon.append(drawn("path", { d: ICONS[name] }));
    const made = make("button", { type: "button", title: texts[name], onclick: act }, icon);
    made.setAttribute("aria-label", texts[name]);
    made.dataset.name = `control-${name}`;
    return made;
  };
  const start = control("start", () => go(0));
  const back = control("back", () => go(memory.at - 1));
  const play = control("play", () => run(!memory.running));
  const next = control("next", () => go(memory.at + 1));
  controls.append(start, back, play, next);
  const step = make("p", { className: "step" });
  step.setAttribute("aria-live", "polite");
  const look = make("button", { type: "button", className: "open" }, texts.open);
  look.onclick = () => open(names[memory.at]);
  look.dataset.name = "control-open";
  player.append(controls, step, look);
  drawing.append(...frames, lines, ...buttons, ...ends, player);
  root.replaceChildren(drawing);

  function open(name) {
    run(false);
    memory.at = names.indexOf(name);
    mark();
    setTriggerValue("box", name);
    const panel = document.querySelector(`.st-key-${data.panel}`);
    const below = panel && panel.getBoundingClientRect().top > innerHeight * 0.7;
    if (below) panel.scrollIntoView({ behavior: still.matches ? "auto" : "smooth", block: "start" });
  }

  // Keys open boxes without aiming: the open one comes into view within its card, and its panel on the page.
  function bring(first) {
    const card = (root.getRootNode().host ?? root).closest(`.st-key-${data.card}`);
    const box = buttons[names.indexOf(data.chosen)].getBoundingClientRect();
    const around = card?.getBoundingClientRect();
    if (around && (box.top < around.top || box.bottom > around.bottom)) card.scrollTop += (box.top + box.bottom - around.top - around.bottom) / 2;
    if (!data.present) return;
    const panel = document.querySelector(`.st-key-${data.panel}`);
    const top = panel?.getBoundingClientRect().top ?? 0;
    const hidden = buttons[names.indexOf(data.chosen)].getBoundingClientRect().bottom > innerHeight;
    if (top > innerHeight * (first ? 0.3 : 0.6) || top < 0 || hidden) panel.scrollIntoView({ block: "start" });
  }

  // Arrow keys walk from box to box; Tab goes in the order of the data.
  function walk(event, name) {
    const column = name in ENCODER ? ENCODER : DECODER;
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    let to = null;
    if (by) to = Object.keys(column).find((other) => column[other] === column[name] + by);
    else if (event.key === "ArrowRight" && column === ENCODER) to = Object.keys(DECODER).find((other) => DECODER[other] === ENCODER[name]);
    else if (event.key === "ArrowLeft" && column === DECODER)
      to = Object.keys(ENCODER).find((other) => ENCODER[other] === Math.min(DECODER[name], ENCODER.encoder));
    else return;
    event.preventDefault();
    if (to) buttons[names.indexOf(to)].focus();
  }

  function go(at) {
    if (at < 0 || at >= names.length) return;
    run(false);
    memory.at = at;
    mark();
  }

  function run(on) {
    memory.running = on;
    clearInterval(timer);
    if (on) {
      if (memory.at === names.length - 1) memory.at = 0;
      timer = setInterval(() => {
        if (memory.at === names.length - 1) return run(false);
        memory.at += 1;
        mark();
      }, PACE);
    }
    const icon = on ? "pause" : "play";
    play.setAttribute("aria-label", texts[icon]);
    play.title = texts[icon];
    play.querySelector("path").setAttribute("d", ICONS[icon]);
    mark();
  }

  function mark() {
    const name = names[memory.at];
    buttons.forEach((button) => button.classList.toggle("now", button.dataset.name === name));
    Object.keys(FRAMES).forEach((frame, i) => frames[i].classList.toggle("now", frame === name));
    for (const group of lines.children) group.classList.toggle("flows", group.dataset.name === name);
    const { label, step: text } = boxes[memory.at];
    const count = make("span", { className: "count" }, `${memory.at + 1}/${names.length}`);
    step.replaceChildren(make("b", {}, count, label), text);
    back.setAttribute("aria-disabled", String(memory.at === 0));
    next.setAttribute("aria-disabled", String(memory.at === names.length - 1));
    look.hidden = name === data.chosen;
  }

  function draw() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const at = layout(root.clientWidth, rem, Boolean(data.ends.note));
    drawing.classList.toggle("narrow", at.narrow);
    drawing.style.width = `${at.whole}px`;
    drawing.style.height = `${at.total}px`;
    const put = (element, left, top, wide, high) =>
      Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${wide}px`, height: `${high}px` });
    buttons.forEach((button) => {
      const { left, top, width: wide, high, low } = at.places[button.dataset.name];
      put(button, left, top, wide, high - low);
    });
    const edge = (at.narrow ? 0.95 : 1.35) * rem;
    Object.values(FRAMES).forEach(([first, last], i) => {
      const [low, high] = [at.places[first], at.places[last]];
      const inner = at.narrow ? 0.4 * rem : 0.6 * rem;
      const leftBy = i ? inner : edge;
      const top = high.top - 0.45 * rem;
      put(frames[i], low.left - leftBy, top, low.width + edge + inner, low.bottom + at.fork + 0.25 * rem - top);
    });
    const { embedding, target, encoder, softmax } = at.places;
    put(ends[0], embedding.left, at.total - at.end, at.box, at.end);
    put(ends[1], target.left, at.total - at.end, at.box, at.end);
    put(ends[2], softmax.left, softmax.top - at.gap - at.end, at.box, at.end);
    put(player, embedding.left - (at.narrow ? at.side : 0), 0, at.box + (at.narrow ? at.side : 0), encoder.top - 2.4 * at.gap);
    lines.replaceChildren(
      ...Object.entries(edges(at)).map(([name, { paths, letters }]) => {
        const group = drawn("g", { "data-name": name });
        if (FORKS.includes(name)) group.classList.add("mixed");
        group.append(...paths.map(([d, kind]) => drawn("path", { d, class: kind })));
        group.append(...letters.map(([x, y, letter, kind]) => drawn("text", { x, y, class: kind }, letter)));
        return group;
      }),
    );
    const exit = at.places.softmax;
    const out = drawn("g", { "data-name": "out" });
    out.append(drawn("path", { d: `M${exit.centre} ${exit.top}V${exit.top - at.gap + 6}` }));
    out.append(drawn("path", { d: `M${exit.centre - 4.5} ${exit.top - at.gap + 8}L${exit.centre} ${exit.top - at.gap}L${exit.centre + 4.5} ${exit.top - at.gap + 8}z`, class: "tip" }));
    lines.append(out);
    mark();
  }

  const watch = new ResizeObserver(() => {
    if (root.clientWidth === width || !root.clientWidth) return;
    width = root.clientWidth;
    draw();
  });
  watch.observe(root);
  draw();
  width = root.clientWidth;
  if (root.open !== data.chosen) bring(root.open === undefined);
  root.open = data.chosen;
  if (memory.running) run(true);
  root.querySelector(`button[data-name="${focused}"]`)?.focus({ preventScroll: true });
  return () => {
    watch.disconnect();
    clearInterval(timer);
  };
}
