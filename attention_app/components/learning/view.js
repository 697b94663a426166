// The recording of a training: see __init__.py. Every part is made once and has show(at), which draws one moment;
// a part that needs to know its width also has fit().
const PACE = 160; // ms a moment at speed 1
const SPEEDS = [0.5, 1, 2];
const REST = 300; // ms after which a place counts as chosen
const MANY = 10; // words: beyond, a sentence is set closer
const DEEPEST = 65535;
const PLACES = 4095;
const NS = "http://www.w3.org/2000/svg";

const svg = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const named = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const styled = (element, properties) => {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
  return element;
};
// Sizes in px of what is drawn by hand grow with the page's type, as in presenter mode.
const type = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
const range = (n) => Array.from({ length: n }, (_, i) => i);
const chip = (head, i) => styled(make("span", { className: "chip" }, String(i + 1)), { "--head": head.color, "--ink-on": head.ink });
const percent = (part) => `${Math.round(100 * part)}%`;

async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint16Array(await new Response(stream).arrayBuffer());
}

const ICONS = {
  restart: "M12 5V1L6.5 6.5 12 12V8a5 5 0 1 1-5 5H4a8 8 0 1 0 8-8z",
  back: "M19 4 8.5 12 19 20zM4 4h3.5v16H4z",
  forward: "M5 4l10.5 8L5 20zM16.5 4H20v16h-3.5z",
  play: "M6 3.5 20 12 6 20.5z",
  pause: "M5.5 4H10v16H5.5zM14 4h4.5v16H14z",
};
const icon = (name) => svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

// A part of the picture: its title, how to read it, and what it shows.
const part = (name, title, how, ...children) =>
  make("section", { className: `part ${name}` }, make("h4", {}, title), make("p", { className: "how" }, how), ...children);

// ---------------------------------------------------------------------------------- whom the gap looks at: arcs
function looks({ sentence, heads, texts, decimals, hidden }) {
  const { words, gap, deciding, rows } = sentence;
  const n = words.length;
  const names = words.map((word, i) => make("span", { className: i === gap ? "word gap" : "word" }, word));
  const cells = heads.map(() => words.map(() => make("span", { className: "weight number" })));
  const lines = heads.flatMap((head, h) => [chip(head, h), ...cells[h]]);
  const table = styled(make("div", { className: n > MANY ? "sentence long" : "sentence" }, make("span"), ...names, ...lines), { "--words": String(n), "--heads": String(heads.length) });
  const arcs = svg("svg", { class: "arcs", "aria-hidden": "true" });
  const drawn = heads.map((head) => words.map((_, i) => (i === gap ? null : svg("path", { style: `stroke: ${head.color}` }))));
  arcs.append(...drawn.flat().filter(Boolean));
  const inner = make("div", { className: "inner" }, arcs, table);
  const scroll = named(make("div", { className: "scroll", tabIndex: 0 }, inner), { role: "region", "aria-label": texts.looks });
  const HIGH = 116;
  let fitted = false;
  return {
    node: part("looks", texts.looks, texts.looks_how, scroll),
    fit() {
      const middle = (i) => names[i].offsetLeft + names[i].offsetWidth / 2;
      named(arcs, { width: table.offsetWidth, height: HIGH });
      if (!fitted) scroll.scrollLeft = names[deciding].offsetLeft + names[deciding].offsetWidth - scroll.clientWidth;
      fitted = true;
      drawn.forEach((paths, h) =>
        paths.forEach((path, i) => {
          if (!path) return;
          const [from, to] = [middle(gap), middle(i)];
          const rise = Math.min(HIGH - 12, 22 + Math.abs(to - from) * 0.34) * (1 - (0.5 * h) / heads.length);
          path.setAttribute("d", `M${from},${HIGH} C${from},${HIGH - rise * 1.3} ${to},${HIGH - rise * 1.3} ${to},${HIGH}`);
        }),
      );
    },
    show(at) {
      heads.forEach((_, h) =>
        words.forEach((_, i) => {
          const whole = rows[(at * heads.length + h) * n + i];
          const weight = hidden ? 0 : whole / UNIT;
          const cell = cells[h][i];
          cell.textContent = hidden ? texts.hidden : digits(whole, decimals);
          styled(cell, { "--weight": percent(weight) });
          cell.classList.toggle("deep", weight > 0.55);
          if (drawn[h][i]) styled(drawn[h][i], { "stroke-width": `${9 * weight}px`, opacity: weight < 0.02 ? 0 : 0.85 });
        }),
      );
    },
  };
}

// --------------------------------------------------------------------------------------------- its answer: bars
function answers({ sentence, texts, decimals, hidden }) {
  const { answers, right, probs } = sentence;
  const bars = answers.map((answer, i) => {
    const fill = make("b");
    const number = make("span", { className: "number" });
    const mark = make("span", { className: "mark" }, i === right && !hidden ? "✓" : "");
    if (i === right && !hidden) named(mark, { role: "img", "aria-label": texts.right, title: texts.right });
    const item = make("li", { className: i === right && !hidden ? "bar right" : "bar" }, make("span", { className: "label" }, answer), mark, make("span", { className: "track" }, fill), number);
    return { item, fill, number };
  });
  const list = named(make("ol", { className: "bars" }, ...bars.map(({ item }) => item)), { "aria-label": texts.answers });
  return {
    node: part("answers", texts.answers, texts.answers_how, list),
    show(at) {
      const now = probs.slice(at * answers.length, (at + 1) * answers.length);
      const best = now.indexOf(Math.max(...now));
      bars.forEach(({ item, fill, number }, i) => {
        fill.style.width = percent(hidden ? 0 : now[i] / UNIT);
        number.textContent = hidden ? texts.hidden : digits(now[i], decimals);
        item.classList.toggle("best", !hidden && i === best);
      });
    },
  };
}

// ------------------------------------------------------------------------------------------ loss and accuracy
function curves({ recording, texts, seek }) {
  const { steps, losses, accuracies, held_out: heldOut } = recording;
  const last = steps.at(-1);
  const top = Math.max(...losses, recording.guessing);
  const round = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => top / size <= 4) ?? 10 ** Math.floor(Math.log10(top));
  const plain = (value) => String(Math.round(value * 100) / 100);
  const lossChart = chart({
    name: texts.loss,
    lines: [{ points: losses.map((loss, i) => [i, loss]), className: "main" }],
    high: top * 1.04,
    ticks: range(Math.floor(top / round) + 1).map((i) => [i * round, plain(i * round)]),
    dashed: recording.guessing,
  });
  const accuracyLines = [{ points: accuracies.map((value, i) => [steps[i], value]), className: "main" }];
  if (heldOut) accuracyLines.push({ points: heldOut.map((value, i) => [steps[i], value]), className: "new" });
  const accuracyChart = chart({
    name: texts.accuracy,
    lines: accuracyLines,
    high: 1.04,
    ticks: [0, 0.5, 1].map((value) => [value, percent(value)]),
    dashed: recording.chance,
  });

  function chart({ name, lines, high, ticks, dashed }) {
    const [TALL, LEFT, RIGHT, TOP, BOTTOM] = [128, 46, 8, 8, 22].map((size) => size * type());
    const picture = named(svg("svg", { class: "chart", height: TALL }), { role: "img", "aria-label": name });
    const clip = svg("rect", { x: 0, y: 0, height: TALL });
    const id = `passed-${Math.random().toString(36).slice(2)}`;
    const cursor = svg("line", { class: "cursor", y1: TOP - 4, y2: TALL - BOTTOM });
    const dots = lines.map(({ className }) => svg("circle", { class: `dot ${className}`, r: 4.5 }));
    let wide = 0;
    const x = (step) => LEFT + (step / last) * (wide - LEFT - RIGHT);
    const y = (value) => TALL - BOTTOM - (Math.min(value, high) / high) * (TALL - BOTTOM - TOP);
    const seekAt = (event) => {
      const box = picture.getBoundingClientRect();
      const step = ((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * last;
      seek(steps.reduce((best, one, i) => (Math.abs(one - step) < Math.abs(steps[best] - step) ? i : best), 0));
    };
    picture.onpointerdown = (event) => {
      picture.setPointerCapture(event.pointerId);
      seekAt(event);
    };
    picture.onpointermove = (event) => event.buttons && seekAt(event);
    return {
      picture,
      fit() {
        wide = picture.parentElement.clientWidth;
        picture.setAttribute("width", wide);
        const across = (value, className) => svg("line", { class: className, x1: LEFT, x2: wide - RIGHT, y1: y(value), y2: y(value) });
        const path = ({ points }) => `M${points.map(([step, value]) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`).join("L")}`;
        const passed = svg("g", { "clip-path": `url(#${id})` }, ...lines.map((line) => svg("path", { class: `line ${line.className}`, d: path(line) })));
        picture.replaceChildren(
          svg("clipPath", { id }, clip),
          ...ticks.flatMap(([value, text]) => [across(value, "grid"), svg("text", { x: LEFT - 8, y: y(value) + 4.5 * type(), "text-anchor": "end" }, text)]),
          ...range(5).map((i) => svg("text", { x: x((last * i) / 4), y: TALL - 4, "text-anchor": i === 4 ? "end" : "middle" }, i === 4 ? `${last} ${texts.axis}` : String((last * i) / 4))),
          across(dashed, "guess"),
          ...lines.map((line) => svg("path", { class: `line ahead ${line.className}`, d: path(line) })),
          passed,
          cursor,
          ...dots,
        );
      },
      show(at) {
        const here = x(steps[at]);
        clip.setAttribute("width", Math.max(0, here));
        named(cursor, { x1: here, x2: here });
        dots.forEach((dot, i) => {
          const points = lines[i].points;
          const found = points.findLast(([step]) => step <= steps[at]);
          named(dot, { cx: here, cy: y(found[1]) });
        });
      },
    };
  }

  const sample = (className, text) => make("span", { className: "sample" }, make("i", { className }), text);
  const now = [make("b", { className: "number" }), make("b", { className: "number" })];
  const legend = (title, number, ...samples) => make("p", { className: "legend" }, make("span", { className: "chart-name" }, title, " ", number), ...samples);
  const lossLegend = legend(texts.loss, now[0], sample("guess", `${texts.guess} ${recording.guessing.toFixed(2)}`));
  const accuracyLegend = legend(
    texts.accuracy,
    now[1],
    sample("main", heldOut ? texts.taught : texts.words),
    ...(heldOut ? [sample("new", texts.new)] : []),
    sample("guess", `${texts.guess} ${percent(recording.chance)}`),
  );
  const box = (picture) => make("div", { className: "chart-box" }, picture);
  return {
    node: part("curves", texts.curves, texts.curves_how, make("div", { className: "charts" }, make("div", {}, lossLegend, box(lossChart.picture)), make("div", {}, accuracyLegend, box(accuracyChart.picture)))),
    fit() {
      lossChart.fit();
      accuracyChart.fit();
    },
    show(at) {
      lossChart.show(at);
      accuracyChart.show(at);
      now[0].textContent = losses[Math.min(steps[at], losses.length - 1)].toFixed(2);
      now[1].textContent = percent(accuracies[at]);
    },
  };
}

// ------------------------------------------------------------------------------------- a small map of each head
function maps({ root, sentence, heads, texts, decimals, hidden }) {
  const { words, gap } = sentence;
  const n = words.length;
  const read = make("p", { className: "read" }, "\u00a0");
  let [cells, shown] = [null, 0];
  const canvases = heads.map((_, h) => {
    const canvas = named(make("canvas", { width: n, height: n }), { role: "img", "aria-label": filled(texts.map, { head: h + 1 }) });
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      const place = (offset, size) => Math.min(n - 1, Math.max(0, Math.floor((offset / size) * n)));
      const [row, column] = [place(event.clientY - box.top, box.height), place(event.clientX - box.left, box.width)];
      if (!cells) return;
      const weight = hidden ? texts.hidden : (cells[((shown * heads.length + h) * n + row) * n + column] / DEEPEST).toFixed(Math.min(4, decimals));
      read.textContent = filled(texts.read, { head: h + 1, query: words[row], key: words[column], weight });
    };
    canvas.onpointermove = canvas.onpointerdown = point;
    canvas.onpointerleave = () => (read.textContent = "\u00a0");
    return canvas;
  });
  const middle = (i) => `${(100 * (i + 0.5)) / n}%`;
  const longest = Math.max(...words.map((word) => [...word].length));
  const frames = heads.map((head, h) => {
    const rows = words.map((word, i) => styled(make("span", { className: i === gap ? "gap" : "", title: word }, word), { top: middle(i) }));
    const columns = words.map((word, i) => styled(make("span", { className: i === gap ? "gap" : "", title: word }, word), { left: middle(i) }));
    const ring = styled(make("i"), { top: `${(100 * gap) / n}%`, height: `${100 / n}%` });
    const frame = make("div", { className: "frame" }, chip(head, h), make("div", { className: "columns" }, ...columns), make("div", { className: "rows" }, ...rows), make("div", { className: "cells" }, canvases[h], ring));
    return styled(frame, { "--longest": String(Math.min(4, longest)), "--words": String(n) });
  });
  const list = make("div", { className: heads.length > 1 ? "frames" : "frames one" }, ...frames);
  // The theme's own colour, read when it may have changed.
  const channels = () => {
    const ink = make("canvas", { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
    ink.fillStyle = getComputedStyle(root).getPropertyValue("--key").trim();
    ink.fillRect(0, 0, 1, 1);
    return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  let key = null;
  const paint = () => {
    if (!cells) return;
    key ??= channels();
    canvases.forEach((canvas, h) => {
      const ink = canvas.getContext("2d");
      const image = ink.createImageData(n, n);
      const from = (shown * heads.length + h) * n * n;
      for (let i = 0; i < n * n; i++) {
        image.data.set([...key, hidden ? 0 : (255 * cells[from + i]) / DEEPEST], 4 * i);
      }
      ink.putImageData(image, 0, 0);
    });
  };
  return {
    node: part("maps", texts.maps, texts.maps_how, list, read),
    repaint() {
      key = null;
      paint();
    },
    show(at) {
      shown = at;
      paint();
    },
    loaded(unpacked) {
      cells = unpacked;
      paint();
    },
  };
}

// ------------------------------------------------------------------ the nouns' embeddings, in two dimensions
function nouns({ recording, kept, texts, measure }) {
  const { nouns, measures, points } = recording;
  const tint = (i) => {
    const hue = Math.round(25 + (360 / measures.length) * i);
    return `light-dark(oklch(0.55 0.13 ${hue}), oklch(0.78 0.12 ${hue}))`;
  };
  const picture = named(svg("svg", { class: "scatter" }), { role: "img", "aria-label": texts.nouns });
  const dots = nouns.map(([, of, isNew]) => svg("circle", { r: 6, class: isNew ? "noun new" : "noun", style: `--tint: ${tint(of)}` }));
  const labels = nouns.map(([name, of]) => svg("text", { class: "name", style: `--tint: ${tint(of)}` }, name));
  const leads = nouns.map(([, of]) => svg("line", { class: "lead", style: `--tint: ${tint(of)}` }));
  picture.append(...leads, ...dots, ...labels);
  const used = nouns.map(() => 0); // the place beside its dot where a label stood last: it stays there if it can
  const big = type();
  const [SIZE, HALF, RADIUS] = [13.5 * big, 9 * big, 6];
  const RINGS = [10, 24, 40, 58].map((far) => far * big);
  const BESIDE = RINGS.flatMap((far) => range(12).map((i) => [Math.cos((i * Math.PI) / 6), Math.sin((i * Math.PI) / 6), far]));
  let [wide, tall] = [0, 0];
  let shown = 0;

  const rows = measures.map((name, i) => {
    const own = nouns.filter(([, of]) => of === i);
    const list = own.flatMap(([noun, , isNew], j) => [j ? " " : "", make("span", { className: isNew ? "new" : "" }, noun)]);
    const button = styled(make("button", { type: "button", className: "kind" }, make("b", {}, name), make("span", {}, ...list)), { "--tint": tint(i) });
    button.onclick = () => {
      kept.kind = kept.kind === i ? null : i;
      mark();
      place();
    };
    return button;
  });
  const legend = named(make("div", { className: "kinds" }, ...rows), { role: "group", "aria-label": texts.nouns });
  function mark() {
    rows.forEach((row, i) => row.setAttribute("aria-pressed", String(i === kept.kind)));
    nouns.forEach(([, of], i) => {
      const faint = kept.kind !== null && of !== kept.kind;
      [dots[i], labels[i], leads[i]].forEach((it) => it.classList.toggle("faint", faint));
    });
  }

  // Labels beside their dots and never upon each other; one that finds no place is left out, its dot stays.
  function place() {
    if (!wide) return;
    const PAD = 14;
    const [across, up] = [0, 1].map((axis) => Math.max(...range(points.length / 2).map((i) => points[2 * i + axis])));
    const scale = Math.min((wide - 2 * PAD - 60) / across, (tall - 2 * PAD) / up);
    const at = nouns.map((_, i) => {
      const [x, y] = points.slice(2 * (shown * nouns.length + i), 2 * (shown * nouns.length + i) + 2);
      return [(wide - across * scale) / 2 + x * scale, tall - (tall - up * scale) / 2 - y * scale];
    });
    const first = kept.kind ?? measure;
    const order = range(nouns.length).sort((a, b) => (nouns[b][1] === first) - (nouns[a][1] === first) || a - b);
    const taken = [];
    const spots = at.map(([x, y]) => [x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS]);
    const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
    nouns.forEach((_, i) => styled(dots[i], { transform: `translate(${at[i][0].toFixed(1)}px, ${at[i][1].toFixed(1)}px)` }));
    for (const i of order) {
      const width = SIZE * [...nouns[i][0]].length + 2;
      const boxAt = (choice) => {
        const [cos, sin, far] = BESIDE[choice];
        const x = at[i][0] + cos * (far + width / 2 - 4);
        const y = at[i][1] + sin * (far + 4);
        return [x - width / 2, y - HALF, x + width / 2, y + HALF];
      };
      const fits = (choice) => {
        const box = boxAt(choice);
        if (box[0] < 0 || box[1] < 0 || box[2] > wide || box[3] > tall) return false;
        return !taken.some((other) => meets(box, other)) && !spots.some((spot) => meets(box, spot));
      };
      const choice = [used[i], ...range(BESIDE.length)].find(fits);
      labels[i].classList.toggle("out", choice === undefined);
      leads[i].classList.toggle("out", choice === undefined || BESIDE[choice][2] < RINGS[1]);
      if (choice === undefined) continue;
      used[i] = choice;
      const box = boxAt(choice);
      taken.push(box);
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      styled(labels[i], { transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` });
      const [cos, sin, far] = BESIDE[choice];
      named(leads[i], { x1: at[i][0], y1: at[i][1], x2: at[i][0] + cos * (far - 2), y2: at[i][1] + sin * (far - 2) });
    }
  }
  mark();
  return {
    node: part("nouns", texts.nouns, texts.nouns_how, make("div", { className: "map" }, make("div", { className: "scatter-box" }, picture), legend)),
    fit() {
      wide = picture.parentElement.clientWidth;
      tall = Math.round(Math.min(460, Math.max(300, wide * 0.62)));
      named(picture, { width: wide, height: tall });
      place();
    },
    show(at) {
      shown = at;
      place();
    },
  };
}

// ------------------------------------------------------------------------------------------------- the player
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  let end = null;
  const stopWaiting = whenGiven(data.key, data.id, (given) => (end = draw({ ...given, ...data }, root, parentElement, setTriggerValue)));
  return () => {
    stopWaiting();
    end?.();
  };
}

function draw(data, root, parentElement, setTriggerValue) {
  const { recording, texts, hidden } = data;
  const { steps } = recording;
  const last = steps.length - 1;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const focused = parentElement.activeElement?.dataset.name;
  // What outlives a change of the data: the moment, whether it plays, how fast, and what the server knows.
  const kept = (root.kept ??= { run: null, at: 0, playing: false, speed: 1, told: null, kind: null });
  if (kept.run !== recording.name || (data.at === null && kept.told !== null)) {
    Object.assign(kept, { run: recording.name, at: data.at ?? 0, playing: data.at === null && !calm, told: data.at });
  } else if (data.at !== kept.told) {
    Object.assign(kept, { at: data.at, told: data.at, playing: false });
  }

  const button = (name, text, label, act) => {
    const made = named(make("button", { type: "button", className: name, onclick: act }, text), { "aria-label": label, title: label });
    made.dataset.name = name;
    return made;
  };
  const play = button("play", icon("play"), texts.play, () => toggle());
  const slider = named(make("input", { type: "range", min: 0, max: last, step: 1 }), { "aria-label": texts.slider });
  slider.dataset.name = "slider";
  slider.oninput = () => seek(Number(slider.value));
  const place = make("span", { className: "place number" });
  const badge = make("span", { className: "badge" });
  const speeds = SPEEDS.map((speed) => {
    const made = button(`speed-${speed}`, `${speed === 0.5 ? "½" : speed}×`, `${texts.speed} ${speed}`, () => {
      kept.speed = speed;
      run();
      mark();
    });
    return made;
  });
  const controls = make(
    "div",
    { className: "controls" },
    button("restart", icon("restart"), texts.restart, () => restart()),
    button("back", icon("back"), texts.back, () => seek(kept.at - 1)),
    play,
    button("forward", icon("forward"), texts.forward, () => seek(kept.at + 1)),
    slider,
    named(make("span", { className: "speeds" }, ...speeds), { role: "group", "aria-label": texts.speed }),
  );
  const said = named(make("p", { className: "said" }), { "aria-live": "polite" });
  const measure = recording.nouns.find(([name]) => name === data.sentence.words[data.sentence.deciding])?.[1] ?? 0;
  const given = { ...data, root, kept, measure, seek: (at) => seek(at) };
  const parts = [looks(given), answers(given), maps(given), curves(given), nouns(given)];
  const [lookPart, answerPart, mapPart, curvePart, nounPart] = parts;
  const two = (left, right) => make("div", { className: "grid" }, make("div", {}, ...left), make("div", {}, ...right));
  const many = data.heads.length > 2; // the maps of many heads take a whole row
  const laidOut = many
    ? [two([lookPart.node], [answerPart.node]), mapPart.node, curvePart.node]
    : [two([lookPart.node, mapPart.node], [answerPart.node, curvePart.node])];
  root.replaceChildren(
    make("div", { className: "head" }, badge, place, make("span", { className: "keys" }, texts.keys)),
    controls,
    said,
    ...laidOut,
    nounPart.node,
  );

  let [timer, resting, ended] = [null, null, false];
  function mark() {
    play.replaceChildren(icon(kept.playing ? "pause" : "play"));
    named(play, { "aria-label": kept.playing ? texts.pause : texts.play, title: kept.playing ? texts.pause : texts.play });
    speeds.forEach((made, i) => made.setAttribute("aria-pressed", String(SPEEDS[i] === kept.speed)));
    said.setAttribute("aria-live", kept.playing ? "off" : "polite");
  }
  function show() {
    const at = kept.at;
    const step = steps[at];
    slider.value = at;
    styled(slider, { "--done": percent(at / last) });
    slider.setAttribute("aria-valuetext", filled(texts.step, { step, count: steps[last] }));
    place.textContent = filled(texts.step, { step, count: steps[last] });
    badge.textContent = step ? filled(texts.trained, { step }) : texts.untrained;
    badge.classList.toggle("untrained", !step);
    const nodes = hidden
      ? [texts.guess_first]
      : data.said[at].flatMap(([key, values]) => [...sentenceOf(data.says[key], values), data.says[key].endsWith("。") ? "" : " "]);
    said.replaceChildren(...nodes);
    parts.forEach((one) => one.show(at));
  }
  function run() {
    clearInterval(timer);
    if (!kept.playing) return;
    timer = setInterval(() => {
      if (kept.at >= last) return stop();
      kept.at += 1;
      show();
      if (kept.at === last) stop();
    }, PACE / kept.speed);
  }
  function stop() {
    kept.playing = false;
    clearInterval(timer);
    mark();
    rest();
  }
  // Where a person comes to rest is told to the server, not every place on the way.
  function rest() {
    clearTimeout(resting);
    resting = setTimeout(() => {
      if (kept.playing || kept.at === kept.told) return;
      kept.told = kept.at;
      setTriggerValue("moment", kept.at);
    }, REST);
  }
  function seek(at) {
    kept.at = Math.min(last, Math.max(0, at));
    if (kept.playing) stop();
    show();
    rest();
  }
  function toggle() {
    if (kept.playing) return stop();
    if (kept.at === last) kept.at = 0;
    kept.playing = true;
    clearTimeout(resting);
    mark();
    show();
    run();
  }
  function restart() {
    Object.assign(kept, { at: 0, playing: true });
    clearTimeout(resting);
    mark();
    show();
    run();
  }

  // The keys work wherever the page is, but not where somebody types, and not on what uses them itself.
  const BUSY = "input, textarea, select, [contenteditable], [role=dialog], [role=grid], [role=radio], [role=tab], [role=listbox], [role=combobox], [role=slider]";
  const ACTS = { " ": toggle, ArrowLeft: () => seek(kept.at - 1), ArrowRight: () => seek(kept.at + 1), Home: () => seek(0), End: () => seek(last) };
  const press = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const path = event.composedPath().filter((node) => node.matches);
    const own = path[0] === slider && event.key === " "; // everything else the slider does by itself
    if (!(event.key in ACTS) || (!own && path.some((node) => node.matches(BUSY)))) return;
    if (event.key === " " && path.some((node) => node.matches("button, a, [role=button], summary"))) return;
    event.preventDefault();
    ACTS[event.key]();
  };
  document.addEventListener("keydown", press);

  const fit = () => {
    if (ended) return;
    parts.forEach((one) => one.fit?.());
    parts.forEach((one) => one.show(kept.at));
  };
  let seen = 0;
  const sizes = new ResizeObserver(() => {
    if (root.clientWidth === seen) return;
    seen = root.clientWidth;
    requestAnimationFrame(fit);
  });
  sizes.observe(root);
  const stopTheme = onTheme(() => !ended && mapPart.repaint());
  unpack(data.sentence.maps).then((cells) => !ended && mapPart.loaded(cells));
  mark();
  show();
  fit();
  run();
  if (!kept.playing) rest();
  if (focused) root.querySelector(`[data-name="${focused}"]`)?.focus({ preventScroll: true });
  return () => {
    ended = true;
    clearInterval(timer);
    clearTimeout(resting);
    sizes.disconnect();
    stopTheme();
    document.removeEventListener("keydown", press);
  };
}

// A text with its fields filled in, those with a role in their colour.
function sentenceOf(template, values) {
  const roles = { key: "key", gap: "gap" };
  return template.split(/(\{\w+\}|\[\?\])/).map((piece) => {
    if (piece === "[?]") return make("span", { className: "gap" }, piece);
    const name = piece.slice(1, -1);
    if (!piece.startsWith("{") || !(name in values)) return piece;
    return make("span", { className: roles[name] ?? "number" }, values[name]);
  });
}
