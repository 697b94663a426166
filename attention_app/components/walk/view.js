// One by one against all at once: see __init__.py. Everything is drawn once; a step only changes classes and widths.
const drawn = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const path = (d, className) => drawn("path", { d, class: className });
const named = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

// A cook with hat, moustache and apron; the spoon points at the stove.
const cook = () =>
  drawn(
    "svg",
    { viewBox: "0 0 84 112", class: "cook", "aria-hidden": "true" },
    path("M24 40 C8 38 10 18 26 20 C28 6 54 4 57 18 C74 14 78 38 60 40 Z", "white"),
    path("M26 38 H58 V48 H26 Z", "white"),
    path("M28 48 H56 V56 C56 72 28 72 28 56 Z", "face"),
    path("M36 54 v3 M48 54 v3", "ink"),
    path("M34 62 c4 -4 7 -1 8 1 c1 -2 4 -5 8 -1", "ink"),
    path("M14 112 C14 84 24 72 42 72 C60 72 70 84 70 112 Z", "coat"),
    path("M30 82 H54 V112 H30 Z M34 73 L42 82 L50 73", "white"),
    path("M64 88 C72 86 76 80 80 70", "arm"),
    path("M80 70 L82 58", "ink"),
    drawn("ellipse", { cx: 82, cy: 55, rx: 3, ry: 5, class: "ink" }),
  );

// A dish in its three states, of which the style sheet shows one: waiting, on the fire, on the plate.
const dish = () =>
  drawn(
    "svg",
    { viewBox: "0 0 48 40", "aria-hidden": "true" },
    drawn("g", { class: "raw" }, path("M12 22 H36 L32 36 H16 Z", "line"), path("M18 22 C18 12 30 12 30 22", "line")),
    drawn(
      "g",
      { class: "fire" },
      path("M6 16 H36 C36 27 31 28 28 28 H14 C11 28 6 27 6 16 Z", "pan"),
      path("M36 18 H47", "handle"),
      path("M13 12 c-3 -3 3 -4 0 -8 M21 12 c-3 -3 3 -4 0 -8 M29 12 c-3 -3 3 -4 0 -8", "steam"),
      path("M12 39 c-4 -4 1 -5 1 -9 c4 3 5 6 2 9 Z M20 39 c-4 -4 1 -5 1 -9 c4 3 5 6 2 9 Z M28 39 c-4 -4 1 -5 1 -9 c4 3 5 6 2 9 Z", "flame"),
    ),
    drawn(
      "g",
      { class: "plate" },
      path("M12 28 C12 16 36 16 36 28 Z", "food"),
      path("M5 28 H43 C41 35 35 36 31 36 H17 C13 36 7 35 5 28 Z", "bowl"),
    ),
  );

function kitchen(names, title, count) {
  const dishes = names.map((name) => make("span", { className: "dish waiting", title: name }, dish(), make("span", { className: "word" }, name)));
  const stove = make("div", { className: "stove" }, ...dishes);
  const counter = make("p", { className: "count number" });
  const head = make("div", { className: "who" }, cook(), make("div", {}, make("h4", {}, title), make("p", { className: "how" }, count), counter));
  return { dishes, counter, stove, element: make("div", { className: "kitchen" }, head, stove) };
}

const put = (dishes, stateOf) => dishes.forEach((one, i) => (one.className = `dish ${stateOf(i)}`));

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { names, states, left, weights, texts, chosen } = data;
  const n = names.length;
  const signed = (value) => (data.hidden ? "?" : `${value < 0 && Number(value.toFixed(data.decimals)) !== 0 ? "−" : ""}${Math.abs(value).toFixed(data.decimals)}`);
  // Where a reader stopped holds until the server says otherwise: other data may come in between.
  const sentence = JSON.stringify(names);
  let moment = root.kept?.sentence === sentence && root.kept.given === data.moment ? root.kept.moment : data.moment;

  // ------------------------------------------------------------------------------------------ one by one
  const slow = kitchen(names, texts.slow, texts.slow_how);
  const read = named(make("p", { className: "read" }, texts.point), { "aria-live": "polite" });
  const rows = names.map((name, t) => {
    const cells = states[t].map((value) => {
      const cell = make("i", { className: value < 0 ? "minus" : "plus" });
      cell.style.setProperty("--size", data.hidden ? 0 : `${100 * Math.abs(value) ** 0.7}%`);
      return cell;
    });
    const strip = make("span", { className: "strip" }, ...cells);
    const bar = make("b");
    const row = make("div", { className: "row" }, make("span", { className: "word", title: name }, name), strip, make("span", { className: "track" }, bar), make("span", { className: "number" }));
    return { row, strip, cells, bar, number: row.lastChild };
  });
  const heading = make("div", { className: "row heading" }, make("span", {}, texts.word), make("span", {}, texts.state), make("span", { className: "left" }, texts.left));
  const table = named(make("div", { className: "rows", tabIndex: 0 }, heading, ...rows.map(({ row }) => row)), { role: "group", "aria-label": texts.table });

  let at = null; // the number that is read out: [step, place], or null
  const tell = (place) => {
    if (at) rows[at[0]].cells[at[1]].classList.remove("here");
    at = place && place[0] < moment ? place : null;
    if (at) rows[at[0]].cells[at[1]].classList.add("here");
    read.textContent = at ? filled(texts.number, { step: at[0] + 1, word: names[at[0]], place: at[1] + 1, number: signed(states[at[0]][at[1]]) }) : texts.point;
  };
  const width = states[0].length;
  rows.forEach(({ strip }, t) => {
    strip.onpointermove = strip.onpointerdown = ({ clientX }) => {
      const box = strip.getBoundingClientRect();
      tell([t, Math.min(width - 1, Math.max(0, Math.floor(((clientX - box.left) / box.width) * width)))]);
    };
    strip.onpointerleave = ({ pointerType }) => pointerType !== "touch" && tell(null);
  });
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  table.onkeydown = (event) => {
    if (!(event.key in STEPS) || !moment) return;
    event.preventDefault();
    const [down, right] = STEPS[event.key];
    const [t, i] = at ? [at[0] + down, at[1] + right] : [0, 0];
    tell([Math.min(moment - 1, Math.max(0, t)), Math.min(width - 1, Math.max(0, i))]);
    rows[at[0]].row.scrollIntoView({ block: "nearest" });
  };

  // ------------------------------------------------------------------------------------------ all at once
  const fast = kitchen(names, texts.fast, texts.fast_how);
  const least = n > 20 && !data.hidden ? 2 : 0; // hundredths
  const threads = weights.flatMap((line, i) =>
    line.flatMap((weight, j) => {
      if (weight < least) return [];
      const strong = chosen === null || chosen === i;
      const opacity = data.hidden ? 0.15 : (0.16 + 0.84 * (weight / 100)) * (strong ? 1 : 0.25);
      return [drawn("line", { x1: 0, y1: i + 0.5, x2: 100, y2: j + 0.5, "stroke-opacity": opacity, "stroke-width": data.hidden ? 1 : 1 + weight / 16 })];
    }),
  );
  const web = drawn("svg", { viewBox: `0 0 100 ${n}`, preserveAspectRatio: "none", class: "web", "aria-hidden": "true" }, ...threads);
  const column = (className) => make("div", { className }, ...names.map((name, i) => make("span", { className: i === chosen && className === "query" ? "word chosen" : "word", title: name }, name)));
  const lines = make("div", { className: "lines" }, column("query"), web, column("key"));
  const above = make("div", { className: "row heading ends" }, make("span", { className: "q" }, texts.query), make("span", { className: "k" }, texts.key));
  const looks = named(make("div", { className: "rows", tabIndex: 0 }, above, lines), { role: "group", "aria-label": texts.lines });

  // ------------------------------------------------------------------------------------------ the steps
  const range = named(make("input", { type: "range", min: 0, max: n, step: 1, value: moment }), { "aria-label": texts.slider });
  const button = (text, act) => Object.assign(make("button", { type: "button", textContent: text }), { onclick: act });
  let timer = null;
  let sent = data.moment;
  const keep = () => (root.kept = { sentence, given: data.moment, moment });
  const commit = () => {
    if (sent !== moment) setTriggerValue("moment", moment);
    sent = moment;
  };
  function show(to) {
    moment = Math.min(n, Math.max(0, to));
    keep();
    range.value = moment;
    const word = moment ? names[moment - 1] : "";
    const said = filled(moment ? texts.at : texts.start, { step: moment, count: n, word });
    range.setAttribute("aria-valuetext", said);
    where.textContent = said;
    put(slow.dishes, (i) => (i + 1 < moment ? "done" : i + 1 === moment ? "cooking" : "waiting"));
    put(fast.dishes, () => (moment === 0 ? "waiting" : moment === 1 && n > 1 ? "cooking" : "done"));
    slow.counter.textContent = filled(texts.slow_count, { step: moment, count: n });
    fast.counter.textContent = filled(texts.fast_count, { step: Math.min(1, moment) });
    rows.forEach(({ row, bar, number }, t) => {
      row.classList.toggle("read-yet", t < moment);
      row.classList.toggle("now", t + 1 === moment);
      bar.style.width = t < moment ? `${100 * left[t][0]}%` : "0";
      number.textContent = t < moment ? left[t][1] : "";
    });
    lines.classList.toggle("there", moment > 0);
    back.disabled = moment === 0;
    on.disabled = moment === n;
    if (at && at[0] >= moment) tell(null);
    const now = rows[moment - 1]?.row;
    if (now && table.scrollHeight > table.clientHeight) table.scrollTop = (moment - 8) * now.offsetHeight; // whole rows
    const pot = slow.dishes[moment - 1];
    if (pot && slow.stove.scrollHeight > slow.stove.clientHeight) slow.stove.scrollTop = pot.offsetTop - slow.dishes[0].offsetTop;
  }
  function stop() {
    clearTimeout(timer);
    timer = null;
    play.textContent = texts.play;
  }
  function tick() {
    show(moment + 1);
    if (moment < n) return void (timer = setTimeout(tick, n > 16 ? 350 : 800));
    stop();
    commit();
  }
  const play = button(texts.play, () => {
    if (timer) {
      stop();
      return commit();
    }
    if (moment === n) show(0);
    play.textContent = texts.pause;
    timer = setTimeout(tick, 400);
  });
  play.className = "main";
  play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches; // then a reader takes the steps alone
  const go = (by) => () => {
    stop();
    show(moment + by);
    commit();
  };
  const back = named(button("‹", go(-1)), { "aria-label": texts.back });
  const on = named(button("›", go(1)), { "aria-label": texts.on });
  const where = make("span", { className: "where" });
  range.oninput = () => {
    stop();
    show(Number(range.value));
  };
  range.onchange = commit;
  const deck = named(make("div", { className: "deck" }, play, back, range, on, where), { role: "group", "aria-label": texts.deck });

  const legend = named(make("p", { className: "legend" }, make("i", { className: "minus" }), texts.minus, make("i", { className: "plus" }), texts.plus), { "aria-hidden": "true" });
  root.replaceChildren(
    deck,
    make("div", { className: "lanes" }, make("section", {}, slow.element, table, legend, read), make("section", {}, fast.element, looks, make("p", { className: "read" }, texts.lines_how))),
  );
  show(moment);
  return stop;
}
