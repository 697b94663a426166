// Matrices that belong together: sources, what is done to them, the result. One cell of the result is `shown`: the one
// pointed at, else the kept one, else the largest. Its row and its column are lit in the sources, its sum stands beside.
const ROWS_WHOLE = 16; // rows shown at once before a window is cut out of a tall matrix
const ROWS_OF_WINDOW = 12;
const ROWS_OF_FACTOR = 3; // a factor has its strip; of its numbers the lit row and its neighbours are enough
const MOST_TERMS = 8;
const MANY = 200; // numbers of a large matrix
const BRIGHT = 0.99; // share of them that the colours tell apart
const DIGITS = 6;
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const range = (n, from = 0) => Array.from({ length: n }, (_, i) => from + i);
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const element = (tag, className, attributes = {}, ...children) => {
  const made = make(tag, { className }, ...children);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

// ------------------------------------------------------------------------------------------------ numbers
// A number in units of its last decimal, an integer; the same rounding as in figures/products.py.
const units = (value, decimals) => {
  const step = 10 ** (DIGITS - decimals);
  const whole = Math.floor((2 * Math.floor(Math.abs(value) * 10 ** DIGITS + 0.5) + step) / (2 * step));
  return value < 0 ? -whole : whole;
};
const shownUnits = (whole, decimals) => `${whole < 0 ? "−" : ""}${(Math.abs(whole) / 10 ** decimals).toFixed(decimals)}`;
const number = (value, decimals) => (Number.isFinite(value) ? shownUnits(units(value, decimals), decimals) : "−∞");

// The largest of the terms, the rest in one, and what rounding leaves over: they add up to `total` as it is shown.
function parts(terms, total, bias, decimals, always = -1) {
  const order = terms.map((_, at) => at).sort((a, b) => Math.abs(terms[b]) - Math.abs(terms[a]) || a - b);
  const chosen = order.slice(0, MOST_TERMS);
  if (always >= 0 && !chosen.includes(always)) chosen[chosen.length - 1] = always;
  const others = terms.map((_, at) => at).filter((at) => !chosen.includes(at));
  const lines = chosen.map((at) => ({ at, whole: units(terms[at], decimals) }));
  const rest = units(others.reduce((sum, at) => sum + terms[at], 0), decimals);
  const whole = units(total, decimals);
  const ofBias = bias === null ? 0 : units(bias, decimals);
  const rounding = whole - lines.reduce((sum, line) => sum + line.whole, 0) - rest - ofBias;
  return { lines, rest, nRest: others.length, bias: ofBias, rounding, whole };
}

async function decode({ shape, bytes, data }) {
  const squeezed = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const stream = new Blob([squeezed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const count = shape[0] * shape[1];
  const mixed = new Uint8Array(planes.length);
  for (let plane = 0; plane < bytes; plane++)
    for (let i = 0; i < count; i++) mixed[i * bytes + plane] = planes[plane * count + i];
  return bytes === 8 ? new Float64Array(mixed.buffer) : new Float32Array(mixed.buffer);
}

// ------------------------------------------------------------------------------------------------ colours
const scratch = document.createElement("canvas").getContext("2d"); // reads colours and measures names
const channels = (color) => {
  scratch.fillStyle = color;
  return [1, 3, 5].map((i) => parseInt(scratch.fillStyle.slice(i, i + 2), 16));
};
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
function paints(root) {
  const style = getComputedStyle(root);
  const of = (name) => channels(style.getPropertyValue(name).trim());
  return { card: of("--card"), minus: of("--minus"), plus: of("--plus"), key: of("--key"), line: of("--line"), ink: of("--ink") };
}
const css = (rgb) => `rgb(${rgb.map(Math.round).join(",")})`;
const mixed = (from, to, share) => from.map((v, i) => v + share * (to[i] - v));
const inkOn = (rgb) => (1.05 / (luminance(rgb) + 0.05) > (luminance(rgb) + 0.05) / 0.05 ? "#fff" : "#000");

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  // What outlives a change of the data: decoded numbers, windows, the place of the focus, uncovered cells.
  const kept = (root.kept ??= { numbers: new Map(), windows: new Map(), cursors: new Map(), pointer: "", focus: null, open: new Set(), openFor: "" });
  let end = null;
  let ended = false;
  const stopWaiting = whenGiven(data.key, data.id, (given) => {
    const all = [...given.sources, given.result];
    const start = () => {
      if (!ended) end = draw({ ...given, ...data }, root, kept, parentElement, setTriggerValue);
    };
    const missing = all.filter(({ values }) => !kept.numbers.has(values.data));
    if (missing.length)
      Promise.all(missing.map(async ({ values }) => [values.data, await decode(values)])).then((decoded) => {
        const old = kept.numbers;
        kept.numbers = new Map([...[...old].filter(([key]) => all.some(({ values }) => values.data === key)), ...decoded]);
        start();
      });
    else start(); // at once: a click does not blink
  });
  return () => {
    ended = true;
    stopWaiting();
    end?.();
  };
}

function draw(data, root, kept, parentElement, setTriggerValue) {
  const { texts, decimals, how } = data;
  const began = performance.now();
  const matrices = [...data.sources, data.result].map((given) => {
    const [n, k] = given.values.shape;
    const [from, all] = given.ofColumns ?? [0, k]; // what stands here may be a part of a wider matrix
    const values = kept.numbers.get(given.values.data);
    const reasons = new Map(given.reasons.map(([i, j, why]) => [`${i},${j}`, why]));
    const sizes = values.filter(Number.isFinite).map(Math.abs).sort();
    const top = sizes.at(-1) ?? 0;
    // A few outliers in a large matrix would leave all the others pale: the strongest colour begins below them.
    const bright = sizes.length < MANY ? top : sizes[Math.floor(BRIGHT * sizes.length)] || top;
    return {
      ...given, n, k, from, all, top, bright, reasons, numbers: values,
      at: (i, j) => values[i * k + j],
      rowName: (i) => given.rows[i] ?? String(i + 1),
      columnName: (j) => given.columns[j] ?? String(from + j + 1),
      longRow: (i) => given.rows[i] ?? filled(texts.dim, { n: i + 1 }),
      longColumn: (j) => given.columns[j] ?? filled(texts.dim, { n: from + j + 1 }),
      why: (i, j) => reasons.get(`${i},${j}`),
    };
  });
  const result = matrices.at(-1);
  const sources = matrices.slice(0, -1);
  if (kept.openFor !== data.result.values.data || !data.hidden) {
    kept.open.clear();
    kept.openFor = data.result.values.data;
  }
  // A covered number of a source is seen with the uncovered numbers that it is a part of.
  const makes = (m, i, j) => (at) => {
    const [row, column] = at.split(",").map(Number);
    if (how.op !== "product") return row === i && (how.op === "softmax" || how.op === "norm" || column === j);
    return m === sources[0] ? row === i : column === (how.transposed ? i : j);
  };
  const covered = (m, i, j) => {
    if (!data.hidden || kept.open.has("all") || (m !== result && !m.answer)) return false;
    return m === result ? !kept.open.has(`${i},${j}`) : ![...kept.open].some(makes(m, i, j));
  };
  const uncover = (what) => {
    kept.open.add(what);
    for (const { m, paint, fill } of panels) if (m === result || m.answer) [paint, fill].forEach((draw) => draw());
  };
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const hadFocus = root.contains(parentElement.activeElement ?? parentElement.getRootNode().activeElement);
  let colors = paints(root);

  const written = (m, i, j) => {
    if (covered(m, i, j)) return texts.hidden;
    if (m.kind === "mask") return m.at(i, j) ? "1" : "0";
    return number(m.at(i, j), decimals);
  };
  const color = (m, value) => {
    if (m.kind === "weights" || m.kind === "mask") return mixed(colors.card, colors.key, clamp(value, 0, 1) * (m.kind === "mask" ? 0.25 : 1));
    if (!Number.isFinite(value) || !m.bright) return colors.card;
    return mixed(colors.card, value < 0 ? colors.minus : colors.plus, 0.94 * Math.min(1, Math.abs(value) / m.bright));
  };

  // ---------------------------------------------------------------------------------------------- what is shown
  const largest = () => {
    if (data.hidden) return [0, 0]; // covered numbers give nothing away
    let at = 0;
    let most = -1;
    const special = (names, i) => names.length > 0 && names[i] < 0; // a lesson begins with words
    result.numbers.forEach((value, i) => {
      if (special(result.rowAt, Math.floor(i / result.k)) || special(result.columnAt, i % result.k)) return;
      if (Number.isFinite(value) && Math.abs(value) > most) [at, most] = [i, Math.abs(value)];
    });
    return [Math.floor(at / result.k), at % result.k];
  };
  const resting = () => data.cell ?? data.rest ?? largest();
  let shown = resting();
  const keeps = how.op !== "single" || data.keeps; // else `cell` is only where one begins to look
  const isKept = (i, j) => keeps && data.cell !== null && data.cell[0] === i && data.cell[1] === j;

  const status = element("p", "aside", { role: "status" });
  const alarm = element("p", "alarm", { role: "alert" });
  const sum = element("section", "sum");
  const usual = matrices.some((m) => m.editable) ? texts.edit_how : how.op === "single" ? texts.how_single : texts.how;
  const help = element("p", "note", {}, usual);

  function show(cell, { quiet = false, follow: scrolls = true } = {}) {
    shown = cell ?? resting();
    for (const panel of panels) panel.light(scrolls);
    const [i, j] = shown;
    if (how.op !== "single") spell();
    else help.textContent = result.why(i, j) ? `${placeName(result, i, j)}${texts.colon}${result.why(i, j)}` : usual;
    if (quiet) return;
    const [rows, columns] = [result.rowAt, result.columnAt];
    if (rows.length || columns.length) announce(data.key, cell ? (rows[i] ?? null) : null, cell ? (columns[j] ?? null) : null);
  }

  // The lit row, column or cell of a matrix.
  function litOf(m) {
    const [i, j] = shown;
    if (m === result) return { row: i, column: j, cell: [i, j] };
    if (how.op === "product") {
      if (m === sources[0]) return { row: i };
      return how.transposed ? { row: j } : { column: j };
    }
    return how.op === "softmax" ? { row: i, cell: [i, j] } : { cell: [i, j] };
  }

  // ---------------------------------------------------------------------------------------------- the sum, spelled out
  const placeName = (m, i, j) => `${m.name}[${m.rowName(i)}, ${m.columnName(j)}]`;

  function account() {
    const [i, j] = shown;
    const value = result.at(i, j);
    const text = (v) => number(v, decimals);
    if (result.why(i, j)) return { rule: "", lines: [], end: `${texts.masked}：${result.why(i, j)}`.replace("：", texts.colon) };
    if (how.op === "product") {
      const [a, b] = sources;
      const right = (t) => (how.transposed ? b.at(j, t) : b.at(t, j));
      const terms = range(a.k).map((t) => a.at(i, t) * right(t));
      const bias = how.bias ? how.bias[j] : null;
      const made = (t) => `${text(a.at(i, t))} × ${right(t) < 0 ? `(${text(right(t))})` : text(right(t))}`;
      const { rule, lines } = listed(terms, value, bias, (t) => a.longColumn(t), made);
      return { rule, lines, total: text(value) };
    }
    if (how.op === "add") {
      const terms = sources.map((m) => m.at(i, j));
      const { lines } = listed(terms, value, null, (t) => sources[t].name, (t) => placeName(sources[t], i, j));
      return { rule: filled(texts.add_all, { count: terms.length }), lines, total: text(value) };
    }
    const before = sources[0];
    if (how.op === "scale") {
      const rule = filled(texts.scale_rule, { sign: how.sign, divisor: text(how.divisor) });
      return { rule, lines: [], end: `${text(before.at(i, j))} ÷ ${how.sign} = ${text(before.at(i, j))} ÷ ${text(how.divisor)} = ${text(value)}` };
    }
    if (how.op === "softmax") {
      const scores = range(before.k).map((t) => before.at(i, t));
      const max = Math.max(...scores);
      const powers = scores.map((score) => Math.exp((score - max) / how.temperature));
      const all = powers.reduce((a, b) => a + b, 0);
      const warm = how.temperature === 1 ? "" : ` ÷ ${how.temperature}`;
      const made = (t) => (warm ? `exp((${text(scores[t])} − ${bracketed(max)})${warm})` : `exp(${text(scores[t])} − ${bracketed(max)})`);
      const bracketed = (v) => (v < 0 ? `(${text(v)})` : text(v));
      const free = range(before.k).filter((t) => scores[t] > -Infinity); // exp(−∞) = 0 adds nothing
      const { lines } = listed(free.map((t) => powers[t]), all, null, (t) => before.longColumn(free[t]), (t) => made(free[t]), free.indexOf(j));
      for (const line of lines) line.unsigned = true;
      if (free.length < before.k) lines.push({ name: filled(texts.masked_count, { count: before.k - free.length }), made: "exp(−∞)", whole: 0, plain: true, unsigned: true });
      const rule = filled(warm ? texts.softmax_warm : texts.softmax_rule, { max: text(max), sum: text(all), temperature: how.temperature });
      return { rule, lines, total: text(all), totalName: texts.sum, end: `${text(powers[j])} ÷ ${text(all)} = ${text(value)}` };
    }
    if (how.op === "norm") {
      const rule = filled(texts.norm_rule, { count: before.k, eps: Number(how.eps.toPrecision(3)) });
      return { rule, lines: normed(i, j), total: text(value), totalName: placeName(result, i, j) };
    }
    return { rule: texts.mask_rule, lines: [], end: `${text(before.at(i, j))} → ${text(value)}` };
  }

  // Mean and variance of the row, the cell brought to them, then what training learned for its column.
  function normed(i, j) {
    const before = sources[0];
    const row = range(before.k).map((t) => before.at(i, t));
    const mean = row.reduce((a, b) => a + b, 0) / before.k;
    const variance = row.reduce((a, b) => a + (b - mean) ** 2, 0) / before.k;
    const [x, gain, bias] = [row[j], how.gain[j], how.bias[j]];
    const between = (x - mean) / Math.sqrt(variance + how.eps);
    // A small mean or variance keeps three digits, whatever the decimals.
    const digits = (v) => clamp(v && Math.abs(v) < 1 ? 2 - Math.floor(Math.log10(Math.abs(v))) : 0, decimals, DIGITS);
    const fine = (v) => number(v, digits(v));
    const bracketed = (v, text) => (v < 0 ? `(${text})` : text);
    const steps = [
      [texts.mean, "", fine(mean)],
      [texts.variance, "", fine(variance)],
      [texts.normed, `(${fine(x)} − ${bracketed(mean, fine(mean))}) ÷ √(${fine(variance)} + ε)`, number(between, decimals)],
      [texts.gain, `${number(between, decimals)} × ${bracketed(gain, fine(gain))} + ${bracketed(bias, fine(bias))}`, number(gain * between + bias, decimals)],
    ];
    return steps.map(([name, made, value]) => ({ name, made, value, bare: true, whole: 0 }));
  }

  function listed(terms, total, bias, nameOf, made, always = -1) {
    const found = parts(terms, total, bias, decimals, always);
    const lines = found.lines.map(({ at, whole }) => ({ name: nameOf(at), made: made(at), whole, lit: at === always }));
    if (found.nRest) lines.push({ name: filled(texts.rest, { count: found.nRest }), made: "", whole: found.rest, plain: true });
    if (bias !== null) lines.push({ name: texts.bias, made: "", whole: found.bias });
    if (found.rounding) lines.push({ name: texts.rounding, made: "", whole: found.rounding, plain: true });
    const counts = { count: terms.length, shown: found.lines.length };
    return { lines, rule: filled(found.nRest ? texts.product_largest : texts.product_all, counts) };
  }

  const signed = (whole) => (whole <= 0 ? shownUnits(whole, decimals) : `+${shownUnits(whole, decimals)}`);

  function spell() {
    const [i, j] = shown;
    const names = element("h4", "place", {}, `${result.name}[`);
    names.append(element("span", "lit-row", {}, result.rowName(i)), ", ", element("span", "lit-column", {}, result.columnName(j)), "]");
    names.append(element("span", "number", {}, ` = ${written(result, i, j)}`));
    if (isKept(i, j)) names.append(element("span", "pin", {}, texts.kept));
    if (covered(result, i, j)) {
      sum.replaceChildren(names, element("p", "note", {}, texts.reveal_one));
      return;
    }
    const told = account();
    const most = Math.max(1, ...told.lines.map(({ whole }) => Math.abs(whole)));
    const list = element("ul", told.lines.some(({ bare }) => bare) ? "terms steps" : "terms");
    for (const line of told.lines) {
      const bar = element("i", line.plain ? "bar plain" : line.whole < 0 ? "bar minus" : "bar");
      if (line.whole) bar.style.minWidth = "1px";
      bar.style.width = `${(100 * Math.abs(line.whole)) / most}%`;
      const name = element("span", "term", { title: line.name }, line.name);
      const item = element("li", line.lit ? "line lit" : "line", {}, name, element("span", "made number", {}, line.made));
      const value = line.value ?? (line.unsigned ? shownUnits(line.whole, decimals) : signed(line.whole));
      item.append(element("span", "track", {}, ...(line.bare ? [] : [bar])), element("span", "value number", {}, value));
      list.append(item);
    }
    if (told.total !== undefined)
      list.append(element("li", "line total", {}, element("span", "term", {}, told.totalName ?? texts.total), element("span", "value number", {}, told.total)));
    sum.replaceChildren(names);
    if (told.lines.length) sum.append(list);
    if (told.end) sum.append(element("p", "end number", {}, told.end));
    if (told.rule) sum.append(element("p", "note", {}, told.rule));
  }

  function speak(m, i, j) {
    const place = filled(texts.place, { name: m.name, row: m.longRow(i), column: m.longColumn(j), value: m.why(i, j) ?? written(m, i, j) });
    const told = m === result && how.op !== "single" && !covered(m, i, j) ? account() : { lines: [] };
    const lines = told.lines.map(({ name, made, whole, value }) => `${name} ${made}${made && " = "}${value ?? shownUnits(whole, decimals)}`);
    status.textContent = [place, ...lines, told.end ?? "", told.total ? `= ${told.total}` : ""].filter(Boolean).join("; ");
  }

  // ---------------------------------------------------------------------------------------------- keeping, uncovering
  function keep(i, j) {
    if (covered(result, i, j)) uncover(`${i},${j}`);
    if (!keeps) return show([i, j]);
    data.cell = isKept(i, j) ? null : [i, j];
    setTriggerValue("cell", data.cell ?? "none");
    show([i, j]);
    speak(result, i, j);
  }

  // ---------------------------------------------------------------------------------------------- one matrix
  const family = getComputedStyle(root).fontFamily;
  const widthOf = (text, size) => {
    scratch.font = `${size * unit}px ${family}`;
    return scratch.measureText(text).width;
  };

  const spanOf = (m, start, count) => filled(texts.span_columns, { first: m.from + start + 1, last: m.from + start + count, count: m.all });
  const seenOf = (m) => (m.k < m.all ? [element("small", "number", {}, spanOf(m, 0, m.k))] : []);

  function panelOf(m, sign) {
    const factor = m !== result;
    const grouped = m.groups.some(([, size]) => size > 1);
    const groupOf = m.groups.flatMap(([name, size]) => range(size).map((nth) => ({ name, nth, size })));
    const wholeDigits = m.kind === "weights" ? 1 : Math.floor(Math.log10(Math.max(1, m.top))) + 1;
    const negative = m.kind === "signed" && m.numbers.some((v) => v < 0 && v > -Infinity);
    const digitsWide = m.kind === "mask" ? 2 : wholeDigits + (decimals ? decimals + 1 : 0) + (negative ? 1 : 0);
    const nameWide = Math.min(96 * unit, Math.max(...range(m.k).map((j) => (m.columns.length ? widthOf(m.columnName(j), 15) + 12 * unit : 0)), 0));
    const roomy = Math.ceil(Math.max(44 * unit, digitsWide * 7.4 * unit + 14 * unit, nameWide));
    const widest = `${negative ? "−" : ""}${"0".repeat(wholeDigits)}${decimals ? "." : ""}${"0".repeat(decimals)}`;
    const tight = Math.min(roomy, Math.ceil(Math.max(36 * unit, widthOf(widest, 14) + 9 * unit))); // long names are cut
    let cellWide = roomy;
    const most = (root.clientWidth < 600 * unit ? 90 : 130) * unit; // longer names end in …
    const labelWide = Math.ceil(Math.min(most, Math.max(...range(m.n).map((i) => widthOf(m.rowName(i), 16))) + 14 * unit));
    const groupWide = grouped ? Math.ceil(Math.min(most, Math.max(...m.groups.map(([name, size]) => (size > 1 ? widthOf(name, 16) : 0))) + 14 * unit)) : 0;
    const window_ = kept.windows.get(m.name) ?? { row: 0, column: 0 };
    kept.windows.set(m.name, window_);
    const wholeWidth = (cell) => labelWide + groupWide + m.k * (cell + 2) + 4;
    const natural = wholeWidth(roomy);
    const snug = m.n <= ROWS_WHOLE ? wholeWidth(tight) : Infinity; // the least room in which all of it is seen
    let [rows, columns, stripWide, rowHigh, whole] = [m.n, m.k, 0, 0, true];
    let cells = new Map();
    const before = kept.cursors.get(m.name);
    let cursor = before && before[0] < m.n && before[1] < m.k ? before : factor ? [0, 0] : [...resting()];

    const heading = element("h4", `name ${m.role}`);
    if (sign) heading.append(element("span", "sign", {}, sign));
    heading.append(m.name, how.transposed && m === sources[1] ? element("sup", "", {}, "T") : "");
    const turned = how.transposed && m === sources[1] ? element("sup", "", {}, "T") : "";
    heading.append(element("small", "number", {}, `(${m.n} × ${m.all})`, turned), ...seenOf(m), m.note ? element("small", "", {}, m.note) : "");
    const canvas = element("canvas", "");
    const frame = element("i", "frame");
    const [rowBand, columnBand, dot] = [element("i", "band row"), element("i", "band column"), element("i", "spot")];
    const picture = element("div", "picture", { "aria-hidden": "true", title: filled(texts.strip, { name: m.name }) }, canvas, columnBand, rowBand, frame, dot);
    const stripLabels = element("div", "strip-labels", { "aria-hidden": "true" });
    const strip = element("div", "strip", {}, stripLabels, picture);
    const table = element("table", "numbers", { role: "grid", "aria-label": filled(texts.grid, { name: m.name, rows: m.n, columns: m.all }), "aria-rowcount": m.n + 1, "aria-colcount": m.all + 1 });
    const where = element("span", "where number");
    const button = (text, label, dr, dc) => {
      const made = element("button", "move-button", { type: "button", "aria-label": label, title: label }, text);
      made.onclick = () => scrollTo(window_.row + dr * rows, window_.column + dc * columns);
      return made;
    };
    const moves = element("div", "moves");
    const body = element("div", factor && how.op === "product" ? `matrix ${m.role}` : `matrix linked ${m.role}`, { "data-name": m.name }, heading, strip, table, moves);
    body.style.setProperty("--row", m.rowRole ? `var(--${m.rowRole})` : "inherit");

    function layout(room) {
      const squeezed = room < natural && room >= snug;
      const spare = room - labelWide - groupWide - 4;
      cellWide = squeezed ? clamp(Math.floor(spare / m.k) - 2, tight, roomy) : roomy; // names get what room there is
      body.classList.toggle("snug", squeezed);
      columns = clamp(Math.floor(spare / (cellWide + 2)), 1, m.k);
      whole = columns === m.k && m.n <= ROWS_WHOLE;
      rows = m.n <= ROWS_WHOLE ? m.n : ROWS_OF_WINDOW;
      if (!whole && factor) rows = m.n <= ROWS_OF_FACTOR + 1 ? m.n : ROWS_OF_FACTOR;
      strip.hidden = whole;
      moves.hidden = whole;
      body.classList.toggle("whole", whole);
      body.style.width = whole ? "" : `${room}px`;
      if (!whole) {
        rowHigh = m.n > ROWS_WHOLE ? clamp((200 * unit) / m.n, 0.5, 8) : factor ? 22 * unit : 9 * unit;
        stripWide = Math.min(spare, Math.max(columns * (cellWide + 2), m.k * 9));
        paint();
        const buttons = [];
        if (columns < m.k) buttons.push(button("‹", texts.left, 0, -1), button("›", texts.right, 0, 1));
        if (rows < m.n) buttons.push(button("▴", texts.up, -1, 0), button("▾", texts.down, 1, 0));
        moves.replaceChildren(...buttons, where);
      }
      scrollTo(window_.row, window_.column, true);
    }

    function paint() {
      const [w, h] = [stripWide, m.n * rowHigh];
      const scale = window.devicePixelRatio || 1;
      Object.assign(canvas, { width: Math.round(w * scale), height: Math.max(1, Math.round(h * scale)) });
      picture.style.cssText = `width:${w}px;height:${h}px`;
      const small = Object.assign(document.createElement("canvas"), { width: m.k, height: m.n });
      const smallInk = small.getContext("2d");
      const image = smallInk.createImageData(m.k, m.n);
      const { data: pixels } = image;
      for (let at = 0; at < m.numbers.length; at++) {
        const rgb = covered(m, Math.floor(at / m.k), at % m.k) ? colors.line : color(m, m.numbers[at]);
        for (let channel = 0; channel < 3; channel++) pixels[4 * at + channel] = rgb[channel];
        pixels[4 * at + 3] = 255;
      }
      smallInk.putImageData(image, 0, 0);
      const ink = canvas.getContext("2d");
      ink.scale(scale, scale);
      const across = w / m.k;
      ink.imageSmoothingEnabled = across < 1 || rowHigh < 1;
      ink.drawImage(small, 0, 0, w, h);
      // Signs without colour: a dash in each negative cell, or where that is too small a blank foot.
      if (m.kind === "signed" && rowHigh >= 6) {
        const roomy = across >= 7 && rowHigh >= 8;
        m.numbers.forEach((value, at) => {
          if (!(value < 0) || covered(m, Math.floor(at / m.k), at % m.k)) return;
          const [x, y] = [(at % m.k) * across, Math.floor(at / m.k) * rowHigh];
          const strong = Math.abs(value) > 0.5 * m.bright;
          ink.fillStyle = css(roomy && !strong ? colors.minus : colors.card);
          if (roomy) ink.fillRect(x + across * 0.3, y + rowHigh / 2 - 0.75, across * 0.4, 1.5);
          else ink.fillRect(x, y + rowHigh * 0.72, across, rowHigh * 0.28);
        });
      }
      if (across >= 6 && rowHigh >= 6) {
        ink.fillStyle = css(colors.card);
        for (let j = 1; j < m.k; j++) ink.fillRect(j * across - 0.5, 0, 1, h);
        for (let i = 1; i < m.n; i++) ink.fillRect(0, i * rowHigh - 0.5, w, 1);
      }
      stripLabels.style.width = `${labelWide + groupWide + 2}px`;
      stripLabels.replaceChildren(...(rowHigh >= 18 ? range(m.n).map((i) => Object.assign(labelOf(i, true), { style: `height:${rowHigh}px` })) : []));
    }

    // A piece under its word: the word is named at its first row (or the first row that can be seen).
    function labelOf(i, first = false) {
      const group = groupOf[i];
      const label = element("span", "row-name", { title: m.longRow(i) }, m.rowName(i));
      label.style.width = `${labelWide}px`;
      const both = element("span", "row-label", {}, label);
      if (grouped) {
        const lone = group.size === 1;
        const word = element("span", lone ? "group lone" : group.nth === 0 ? "group first" : "group", { title: group.name }, element("span", "group-name", {}, !lone && (group.nth === 0 || first === i) ? group.name : ""));
        word.style.width = `${groupWide}px`;
        both.prepend(word);
      }
      both.dataset.row = i;
      return both;
    }

    function scrollTo(row, column, force = false) {
      row = clamp(row, 0, m.n - rows);
      column = clamp(column, 0, m.k - columns);
      if (!force && row === window_.row && column === window_.column) return false;
      Object.assign(window_, { row, column });
      fill();
      return true;
    }

    function fill() {
      cells = new Map();
      const names = [element("th", "corner", { scope: "col" }, "")];
      for (const j of range(columns, window_.column)) {
        const th = element("th", m.columns.length ? "column-name" : "column-name plain", { scope: "col", role: "columnheader", "data-column": j, title: m.longColumn(j) }, m.columnName(j));
        names.push(th);
      }
      const head = element("tr", "", { role: "row", "aria-rowindex": 1 }, ...names);
      const lines = range(rows, window_.row).map((i) => {
        const header = element("th", "row-head", { scope: "row", role: "rowheader" }, labelOf(i, window_.row === i && i));
        const line = element("tr", "", { role: "row", "aria-rowindex": i + 2 }, header);
        for (const j of range(columns, window_.column)) line.append(cellOf(i, j));
        return line;
      });
      const widths = element("colgroup", "", {}, element("col", ""), ...range(columns).map(() => Object.assign(element("col", ""), { style: `width:${cellWide}px` })));
      widths.firstChild.style.width = `${labelWide + groupWide}px`;
      table.style.width = `${labelWide + groupWide + columns * (cellWide + 2) + 2}px`;
      table.replaceChildren(widths, make("thead", {}, head), make("tbody", {}, ...lines));
      tab();
      if (!whole) {
        const said = [];
        if (columns < m.k) said.push(spanOf(m, window_.column, columns));
        if (rows < m.n) said.push(filled(texts.span_rows, { first: window_.row + 1, last: window_.row + rows, count: m.n }));
        where.textContent = said.join(" · ");
        const [x, y] = [stripWide / m.k, rowHigh];
        frame.style.cssText = `left:${window_.column * x}px;top:${window_.row * y}px;width:${columns * x}px;height:${Math.max(5, rows * y)}px`;
        for (const one of moves.querySelectorAll("button")) {
          const edge = { [texts.left]: !window_.column, [texts.right]: window_.column + columns === m.k, [texts.up]: !window_.row, [texts.down]: window_.row + rows === m.n };
          one.setAttribute("aria-disabled", String(edge[one.title]));
        }
      }
      mark();
    }

    function cellOf(i, j) {
      const why = m.why(i, j);
      const hiddenNow = covered(m, i, j);
      const value = m.at(i, j);
      const cell = element("td", why ? "masked" : hiddenNow ? "covered" : "", { role: "gridcell", tabindex: -1, "aria-colindex": m.from + j + 2, "data-at": `${i},${j}` }, written(m, i, j));
      if (why) cell.title = `${texts.masked}${texts.colon}${why}`;
      if (why) cell.setAttribute("aria-label", cell.title);
      if (!why && !hiddenNow) {
        const rgb = color(m, value);
        cell.style.background = css(rgb);
        cell.style.color = inkOn(rgb);
      }
      cells.set(`${i},${j}`, cell);
      return cell;
    }

    const tab = () => {
      for (const cell of cells.values()) cell.tabIndex = -1;
      const [i, j] = [clamp(cursor[0], window_.row, window_.row + rows - 1), clamp(cursor[1], window_.column, window_.column + columns - 1)];
      cells.get(`${i},${j}`).tabIndex = 0;
      cursor = [i, j];
    };

    // Brings a row or column (or both) into the window.
    function seek(row, column) {
      const to = (at, from, size, all) => (at === undefined || (at >= from && at < from + size) ? from : clamp(at - Math.floor(size / 2), 0, all - size));
      return scrollTo(to(row, window_.row, rows, m.n), to(column, window_.column, columns, m.k));
    }

    let lit = {};
    function light(scrolls) {
      lit = litOf(m);
      if (scrolls || factor) if (seek(lit.row ?? lit.cell?.[0], lit.column ?? lit.cell?.[1])) return;
      mark();
    }

    function mark() {
      for (const [at, cell] of cells) {
        const [i, j] = at.split(",").map(Number);
        const here = lit.cell && lit.cell[0] === i && lit.cell[1] === j;
        cell.classList.toggle("here", Boolean(here));
        cell.classList.toggle("kept", m === result && isKept(i, j));
        cell.classList.toggle("on-row", factor && lit.row === i);
        cell.classList.toggle("on-column", factor && lit.column === j);
        if (m === result) cell.setAttribute("aria-selected", String(isKept(i, j)));
      }
      for (const label of body.querySelectorAll(".row-label")) label.classList.toggle("lit", Number(label.dataset.row) === (lit.row ?? lit.cell?.[0]));
      for (const label of table.querySelectorAll(".column-name")) label.classList.toggle("lit", Number(label.dataset.column) === (lit.column ?? lit.cell?.[1]));
      if (whole) return;
      const [x, y] = [stripWide / m.k, rowHigh];
      rowBand.style.cssText = factor && lit.row !== undefined ? `top:${lit.row * y}px;height:${Math.max(2, y)}px` : "display:none";
      columnBand.style.cssText = factor && lit.column !== undefined ? `left:${lit.column * x}px;width:${Math.max(2, x)}px` : "display:none";
      dot.style.cssText = lit.cell ? `left:${lit.cell[1] * x}px;top:${lit.cell[0] * y}px;width:${Math.max(4, x)}px;height:${Math.max(4, y)}px` : "display:none";
    }

    // ------------------------------------------------------------------------------ pointer and keyboard
    const linked = m === result || how.op !== "product"; // its cells are the result's cells, or stand for them
    const cellAt = (event) => {
      const found = event.target.closest?.("td[data-at]");
      return found && found.dataset.at.split(",").map(Number);
    };
    table.onpointerover = (event) => {
      const at = cellAt(event);
      // A cell that moved under a resting mouse is not pointed at: the keyboard moved the window, or all was drawn anew.
      const still = kept.pointer === `${event.clientX},${event.clientY}`;
      if (at && linked && event.pointerType !== "touch" && !editing && !still) show(at, { follow: false });
    };
    table.onpointerleave = (event) => event.pointerType !== "touch" && linked && !editing && show(null, { follow: false });

    let editing = null;
    function walk(i, j) {
      cursor = [clamp(i, 0, m.n - 1), clamp(j, 0, m.k - 1)];
      const wanted = [...cursor];
      seek(...wanted);
      cursor = wanted;
      tab();
      if (linked) show(wanted);
      speak(m, ...wanted);
      kept.focus = m.name;
      kept.cursors.set(m.name, wanted);
      cells.get(String(wanted)).focus({ preventScroll: true });
    }
    table.onclick = (event) => {
      const at = cellAt(event);
      if (!at || editing || dragged) return;
      const again = String(cursor) === String(at) && kept.focus === m.name;
      walk(...at);
      if (m.editable && (again || event.detail > 1)) edit(...at);
      else if (m === result && !m.editable) keep(...at);
    };
    table.onkeydown = (event) => {
      if (editing) return;
      const [i, j] = cursor;
      const far = { Home: [event.ctrlKey ? 0 : i, 0], End: [event.ctrlKey ? m.n - 1 : i, m.k - 1], PageUp: [i - rows, j], PageDown: [i + rows, j] };
      if (event.key in STEPS) walk(i + STEPS[event.key][0], j + STEPS[event.key][1]);
      else if (event.key in far) walk(...far[event.key]);
      else if (event.key === "Escape" && linked) show(null);
      else if (m.editable && (event.key === "Enter" || event.key === "F2")) edit(i, j);
      else if (m === result && (event.key === "Enter" || event.key === " ")) keep(i, j);
      else return;
      event.preventDefault();
      event.stopPropagation(); // the arrows of the page turn its steps
    };
    body.addEventListener("focusin", ({ target }) => {
      if (target.dataset?.at) kept.focus = m.name;
    });
    body.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !root.contains(relatedTarget)) kept.focus = null;
    });

    // A finger moves the numbers sideways; up and down it scrolls the page.
    let drag = null;
    let dragged = false;
    table.onpointerdown = (event) => {
      dragged = false;
      if (event.pointerType === "touch" && !whole) drag = { x: event.clientX, column: window_.column };
    };
    table.onpointermove = (event) => {
      if (!drag || Math.abs(event.clientX - drag.x) < 12) return;
      dragged = true;
      scrollTo(window_.row, drag.column - Math.round((event.clientX - drag.x) / (cellWide + 2)));
    };
    table.onpointerup = table.onpointercancel = () => (drag = null);
    table.onwheel = (event) => {
      const sideways = event.deltaX || (event.shiftKey ? event.deltaY : 0);
      if (sideways && scrollTo(window_.row, window_.column + Math.sign(sideways))) event.preventDefault();
    };

    let sliding = false;
    const slide = (event) => {
      const box = canvas.getBoundingClientRect();
      const j = Math.floor(((event.clientX - box.left) / box.width) * m.k);
      const i = Math.floor(((event.clientY - box.top) / box.height) * m.n);
      scrollTo(rows < m.n ? i - Math.floor(rows / 2) : window_.row, j - Math.floor(columns / 2));
    };
    picture.onpointerdown = (event) => {
      sliding = true;
      picture.setPointerCapture(event.pointerId);
      slide(event);
    };
    picture.onpointermove = (event) => sliding && slide(event);
    picture.onpointerup = picture.onpointercancel = () => (sliding = false);
    picture.onwheel = (event) => {
      const by = Math.sign(event.deltaX || event.deltaY);
      const moved = columns < m.k ? scrollTo(window_.row, window_.column + by) : scrollTo(window_.row + by, window_.column);
      if (moved) event.preventDefault();
    };

    // ------------------------------------------------------------------------------ changing a number
    function edit(i, j) {
      const cell = cells.get(`${i},${j}`);
      const input = element("input", "editor number", { inputmode: "decimal", "aria-label": `${texts.edit}${texts.colon}${m.longRow(i)}, ${m.longColumn(j)}` });
      input.value = String(Number(m.at(i, j).toFixed(DIGITS)));
      editing = [i, j];
      cell.replaceChildren(input);
      input.focus();
      input.select();
      const close = (back) => {
        if (!editing) return;
        editing = null;
        alarm.textContent = "";
        cell.replaceChildren(written(m, i, j));
        if (back) cell.focus({ preventScroll: true });
      };
      const commit = (back) => {
        const typed = input.value.trim().replace("−", "-");
        const value = Number(typed);
        if (typed === "" || !Number.isFinite(value) || Math.abs(value) > data.limit) {
          alarm.textContent = filled(texts.edit_bad, { limit: data.limit });
          input.setAttribute("aria-invalid", "true");
          if (!back) close(false); // who looks elsewhere has given up
          return;
        }
        if (value !== m.at(i, j)) setTriggerValue("edit", { name: m.name, row: i, column: j, value });
        close(back);
      };
      input.onkeydown = (event) => {
        event.stopPropagation();
        if (event.key === "Enter") commit(true);
        if (event.key === "Escape") close(true);
      };
      input.onblur = () => editing && commit(false);
    }

    return { m, body, natural, snug, tight, wholeWidth, layout, light, fill, paint, walk, linked, cursor: () => cursor, focus: () => cells.get(String(cursor))?.focus({ preventScroll: true }) };
  }

  // ---------------------------------------------------------------------------------------------- all together
  const signs = { product: ["", "×", "="], add: ["", ...Array(sources.length).fill("+")].slice(0, sources.length).concat("=") }[how.op] ?? ["", "→"];
  const panels = matrices.map((m, at) => panelOf(m, sources.length ? signs[at] : ""));

  function arrange() {
    const room = root.clientWidth;
    const gap = 28 * unit;
    const part = (count) => Math.floor((room - gap * (count - 1)) / count);
    const half = part(2);
    const all = sources.length ? panels.slice(0, -1) : [];
    // A matrix and what becomes of it stand side by side, before | after, if both are seen as a whole; else one above
    // the other. The sum stands beside them where there is room.
    if (sources.length === 1) {
      const wanted = 340 * unit + gap;
      const wide = (size) => panels.reduce((sum, panel) => sum + panel[size], gap);
      const size = wide("natural") <= room ? "natural" : "snug";
      const row = wide(size) <= room;
      const beside = row ? wide("natural") + wanted <= room : room >= 820 * unit;
      pairing.classList.toggle("row", row);
      flow.classList.toggle("below", !beside);
      // Squeezed beside each other, both get cells of one width where that is enough for either's numbers.
      const cell = Math.floor((room - gap - panels.reduce((sum, panel) => sum + panel.wholeWidth(-2), 0)) / panels.reduce((sum, { m }) => sum + m.k, 0)) - 2;
      const even = size === "snug" && panels.every(({ tight }) => tight <= cell);
      const inRow = (panel) => (even ? Math.min(panel.natural, panel.wholeWidth(cell)) : panel[size]);
      for (const panel of panels) panel.layout(row ? inRow(panel) : Math.min(panel.natural, beside ? room - wanted : room));
      return;
    }
    const fits = all.reduce((sum, panel) => sum + panel.natural + gap, -gap) <= room;
    const pair = room >= 820 * unit;
    const three = all.length === 3 && room >= 1040 * unit; // beside each other, else one would stand alone in its line
    for (const panel of all) panel.layout(fits ? panel.natural : three ? part(3) : pair && all.length > 1 ? half : room);
    const last = panels.at(-1);
    // The sum wants 340 px beside the result; a wide result takes the whole line, and the sum stands below.
    const beside = room - 340 * unit - gap;
    last.layout(how.op === "single" ? Math.min(room, Math.max(last.natural, 0)) : last.natural <= beside ? last.natural : pair ? Math.max(half, beside) : room);
  }

  const legend = element("p", "legend", { "aria-hidden": "true" });
  const kinds = new Set(matrices.map(({ kind }) => kind));
  if (kinds.has("signed")) legend.append(element("span", "scale", {}, `− ${texts.minus}`, element("i", "ramp signed"), `+ ${texts.plus}`));
  if (kinds.has("weights")) legend.append(element("span", "scale", {}, texts.zero, element("i", "ramp weights"), texts.one));

  const foot = element("div", "foot", {}, help, legend);
  if (data.hidden && !kept.open.has("all")) {
    const all = element("button", "uncover", { type: "button" }, texts.reveal);
    all.onclick = () => {
      uncover("all");
      all.remove();
      show(null, { quiet: true });
      panels.at(-1).focus();
    };
    foot.append(all);
  }
  const bodies = panels.map(({ body }) => body);
  const pairing = element("div", "pairing");
  if (sources.length === 1) pairing.append(...bodies);
  const flow = element("div", "flow", {}, ...(sources.length === 1 ? [pairing] : bodies));
  if (how.op !== "single") flow.append(sum);
  root.replaceChildren(flow, alarm, foot, status);
  arrange();
  show(null, { quiet: true });
  // Who walks on while the server answers does not lose the place.
  const walked = hadFocus && panels.find(({ m }) => m.name === kept.focus);
  if (walked) {
    if (walked.linked) show(walked.cursor(), { quiet: true });
    walked.focus();
  }
  root.dataset.paint = (performance.now() - began).toFixed(1);

  const unfollow = follow(data.key, (row, column) => {
    // A word may have several rows, its pieces: the one that is framed stays.
    const placeOf = (places, place, now) => (places[now] === place ? now : places.indexOf(place));
    const [i, j] = [placeOf(result.rowAt, row, shown[0]), placeOf(result.columnAt, column, shown[1])];
    if (i < 0 && j < 0) return show(null, { quiet: true });
    show([i < 0 ? shown[0] : i, j < 0 ? shown[1] : j], { quiet: true });
  });
  root.onpointermove = (event) => (kept.pointer = `${event.clientX},${event.clientY}`);
  let width = root.clientWidth;
  const resized = new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    arrange();
    show(null, { quiet: true });
  });
  resized.observe(root);
  // Colours on a canvas do not follow the theme by themselves.
  const recolor = () => {
    const now = paints(root);
    if (JSON.stringify(now) === JSON.stringify(colors)) return;
    colors = now;
    arrange();
    show(null, { quiet: true });
  };
  const unthemed = onTheme(recolor);
  return () => {
    unfollow();
    resized.disconnect();
    unthemed();
  };
}
