// The translation that grows: see __init__.py. Everything is drawn once; a step changes classes, lines and candidates.
const SVG = "http://www.w3.org/2000/svg";
const LEAST = 0.03; // weaker lines are not drawn
const LEAST_DECIMALS = 3; // of a probability: the tenth candidate is seldom above 0.005
const LONG = 16; // words: beyond, they stand closer
const FLAT_GAP = 2; // px between words in a line, as in view.css
const named = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

export default function ({ data, parentElement, setTriggerValue }) {
  let end = null;
  const stop = whenGiven(data.key, data.id, (given) => {
    end?.();
    end = draw({ ...given, ...data }, parentElement, setTriggerValue);
  });
  return () => {
    stop();
    end?.();
  };
}

function draw(data, parentElement, setTriggerValue) {
  const root = parentElement.querySelector(".root");
  const { source, steps, targets, texts, hidden, forced } = data;
  const n = steps.length;
  // Where a reader stopped holds until the server says otherwise: other data may come in between.
  const about = JSON.stringify([source, steps.map(({ text }) => text)]);
  let made = root.kept?.about === about && root.kept.given === data.made ? root.kept.made : data.made;
  const focused = root.kept?.focus;
  const hadFocus = root.contains(parentElement.activeElement ?? null);
  const shown = (whole) => (hidden ? "?" : digits(whole, data.decimals));
  const chance = (whole) => digits(whole, Math.max(LEAST_DECIMALS, data.decimals));
  const last = targets.map((_, target) => steps.reduce((at, step, i) => (step.target === target ? i : at), -1));
  const first = targets.map((_, target) => steps.findIndex((step) => step.target === target));
  const fixed = new Set(steps.slice(0, forced).map(({ target }) => target));
  let pointed = null; // {target} or {source}: what a person points at

  // ------------------------------------------------------------------------------------------ two lines of words
  const item = (text, act) => {
    const word = make("span", { className: "word" }, text);
    const value = make("span", { className: "number value" });
    const element = make("span", { className: "item" }, value, word);
    element.onpointerenter = () => act(true);
    element.onpointerleave = ({ pointerType }) => pointerType !== "touch" && act(false); // a finger is gone at once
    return { element, word, value };
  };
  const above = source.map((text, j) =>
    item(text, (on) => lookAt(on ? j : null)),
  );
  const below = targets.map(({ text }, i) =>
    item(text, (on) => {
      if (last[i] >= made) return;
      point(on ? { target: i } : null);
      signal("target", "decode", on ? i : null);
    }),
  );
  const lines = [above, below].map((items, which) =>
    make("div", { className: which ? "line below" : "line" }, ...items.map(({ element }) => element)),
  );
  const drawing = named(document.createElementNS(SVG, "svg"), { "aria-hidden": "true" });
  const weave = named(make("div", { className: "weave flat" }, drawing, ...lines), { role: "group", "aria-label": texts.weave });
  const paths = targets.flatMap((_, target) =>
    source.map((_, at) => {
      const path = document.createElementNS(SVG, "path");
      drawing.append(path);
      return { path, target, at };
    }),
  );
  weave.style.setProperty("--words", Math.max(source.length, targets.length));
  if (data.chosen !== null) above[data.chosen]?.word.classList.add("picked");

  // The row of weights of a word: of the step that is being taken, else of the whole word.
  const row = (target) => (made && steps[made - 1].target === target ? steps[made - 1].row : targets[target].row);

  function point(to) {
    pointed = to;
    light();
    tell();
  }
  function lookAt(column) {
    point(column === null ? null : { source: column });
    announce("decode", null, column);
  }

  function light() {
    const now = made ? steps[made - 1].target : null;
    const target = pointed ? (pointed.target ?? null) : now;
    const column = pointed?.source ?? null;
    for (const { path, target: t, at } of paths) {
      const weight = hidden || first[t] >= made ? 0 : row(t)[at] / UNIT;
      const strong = column === null ? t === target : at === column;
      const faint = pointed === null ? 0.3 : 0.1;
      path.style.display = weight < LEAST ? "none" : "";
      path.style.strokeOpacity = (0.12 + 0.88 * weight) * (strong ? 1 : faint);
      path.style.strokeWidth = `${(0.06 + 0.5 * weight) * (strong ? 1 : 0.7)}rem`;
    }
    const weights = target === null || column !== null || first[target] >= made ? null : row(target);
    const most = weights ? Math.max(...weights) : null;
    above.forEach(({ word, value }, j) => {
      value.textContent = weights && weights[j] >= LEAST * UNIT ? shown(weights[j]) : "";
      value.classList.toggle("most", weights !== null && weights[j] === most);
      word.classList.toggle("looked", !hidden && weights !== null && weights[j] === most);
      word.classList.toggle("lit", column === j);
    });
    const tall = column === null ? 0 : Math.max(...targets.map((_, i) => (first[i] < made ? row(i)[column] : 0)));
    below.forEach(({ word, value }, i) => {
      const weight = column !== null && first[i] < made ? row(i)[column] : null;
      value.textContent = weight !== null && weight >= LEAST * UNIT ? shown(weight) : "";
      value.classList.toggle("most", weight !== null && weight === tall);
      word.classList.toggle("lit", pointed?.target === i);
    });
  }

  // Words beside each other if they fit, else below each other: nothing has to be scrolled sideways.
  function place() {
    if (!root.clientWidth) return;
    weave.className = "weave flat";
    const room = weave.clientWidth;
    const needs = (items) => items.reduce((sum, { element }) => sum + element.scrollWidth + FLAT_GAP, 0);
    const flat = Math.max(needs(above), needs(below)) <= room;
    weave.className = flat ? "weave flat" : `weave tall${source.length > LONG ? " long" : ""}`;
    const box = weave.getBoundingClientRect();
    drawing.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    const from = above.map(({ word }) => word.getBoundingClientRect());
    const to = below.map(({ word }) => word.getBoundingClientRect());
    for (const { path, target, at } of paths) {
      const [a, b] = [from[at], to[target]];
      if (flat) {
        const [x, y] = [a.left + a.width / 2 - box.left, a.bottom - box.top + 2];
        const [x2, y2] = [b.left + b.width / 2 - box.left, b.top - box.top - 2];
        const middle = (y + y2) / 2;
        path.setAttribute("d", `M${x} ${y}C${x} ${middle} ${x2} ${middle} ${x2} ${y2}`);
      } else {
        const [x, y] = [a.right - box.left + 3, a.top + a.height / 2 - box.top];
        const [x2, y2] = [b.left - box.left - 3, b.top + b.height / 2 - box.top];
        const middle = (x + x2) / 2;
        path.setAttribute("d", `M${x} ${y}C${middle} ${y} ${middle} ${y2} ${x2} ${y2}`);
      }
    }
  }

  // ------------------------------------------------------------------------------------------ what could come
  const list = named(make("ol", { className: "candidates" }), { "aria-label": texts.candidates });
  function offer() {
    const step = steps[made - 1];
    if (!step || hidden) return list.replaceChildren(make("li", { className: "how" }, step ? texts.guess : texts.before));
    const rows = step.candidates.map(([text, probability, rank, free], c) => {
      const taken = c === step.chosen;
      const bar = make("i");
      bar.style.width = `${(100 * probability) / UNIT}%`;
      const button = make(
        "button",
        { type: "button", className: `${taken ? "taken" : ""} ${rank > c + 1 ? "far" : ""}`, disabled: taken || !free, title: text },
        make("span", { className: "name" }, text),
        make("span", { className: "track" }, bar),
        make("span", { className: "number" }, chance(probability)),
        make("span", {}, taken ? "✓" : ""),
      );
      const values = { piece: text, number: chance(probability), rank };
      button.setAttribute("aria-label", filled(taken ? texts.taken : texts.pick, values));
      button.onclick = () => setTriggerValue("pick", [made - 1, c]);
      return make("li", {}, button);
    });
    list.replaceChildren(...rows);
  }

  // ------------------------------------------------------------------------------------------ the steps
  const range = named(make("input", { type: "range", min: 0, max: n, step: 1, value: made }), { "aria-label": texts.slider });
  const button = (text, act) => Object.assign(make("button", { type: "button", textContent: text }), { onclick: act });
  const said = named(make("p", { className: "said" }), { "aria-live": "polite" });
  let timer = null;
  let later = null;
  let sent = data.made;
  const commit = () => {
    clearTimeout(later);
    if (sent !== made) setTriggerValue("made", made);
    sent = made;
  };
  const soon = () => {
    clearTimeout(later);
    later = setTimeout(commit, 300); // keys come fast; only where they stop is of interest
  };

  // What is to be seen: of the step, or of what a person points at.
  function reading() {
    const column = pointed?.source ?? null;
    const target = pointed?.target ?? null;
    const step = steps[made - 1];
    if (!step) return [texts.nothing, {}];
    if (column !== null && !hidden) {
      const weights = targets.map((_, i) => (first[i] < made ? row(i)[column] : -1));
      const best = weights.indexOf(Math.max(...weights));
      return [texts.looked, { source: source[column], piece: targets[best].text, number: shown(weights[best]) }];
    }
    const weights = target === null ? step.row : row(target);
    const best = weights.indexOf(Math.max(...weights));
    const input = made > 1 ? steps[made - 2].text : texts.first;
    const values = { input, piece: target === null ? step.text : targets[target].text, source: source[best], number: shown(weights[best]) };
    return [hidden ? texts.asked : target === null ? texts.said : texts.looks, values];
  }
  function tell() {
    const [text, values] = reading();
    const roles = { piece: "query", source: "key" };
    const parts = text.split(/(\{\w+\})/).map((part) => {
      const name = part.slice(1, -1);
      if (!(part.startsWith("{") && name in values)) return part;
      return name in roles ? make("b", { className: roles[name] }, values[name]) : values[name];
    });
    said.replaceChildren(...parts);
  }

  function show(to) {
    made = Math.min(n, Math.max(0, to));
    root.kept = { about, given: data.made, made, focus: root.kept?.focus };
    range.value = made;
    const where = filled(made ? texts.at : texts.start, { step: made, count: n });
    range.setAttribute("aria-valuetext", made ? `${where} ${steps[made - 1].text}` : where);
    place_.textContent = where;
    const now = made ? steps[made - 1].target : null;
    below.forEach(({ word }, i) => {
      const coming = first[i] >= made;
      const part = i === now && last[i] >= made;
      word.textContent = part ? `${steps.slice(first[i], made).map(({ text }) => text.replace(/^…/, "")).join("")}…` : targets[i].text;
      word.className = `word${i === now ? " now" : coming ? " coming" : ""}${fixed.has(i) ? " forced" : ""}`;
      word.title = coming ? "" : targets[i].text;
      word.ariaHidden = String(coming); // nobody is told what comes
      word.classList.toggle("end", i === targets.length - 1 && targets[i].text === texts.end);
    });
    back.disabled = made === 0;
    on.disabled = made === n;
    light();
    offer();
    tell();
    shelf.made = made;
    signal("made", "decode", made);
  }
  function halt() {
    clearTimeout(timer);
    timer = null;
    play.textContent = texts.play;
  }
  function tick() {
    show(made + 1);
    if (made < n) return void (timer = setTimeout(tick, n > 24 ? 600 : 1100));
    halt();
    commit();
  }
  const toggle = () => {
    if (timer) {
      halt();
      return commit();
    }
    if (made === n) show(0);
    play.textContent = texts.pause;
    timer = setTimeout(tick, 400);
  };
  const play = button(texts.play, toggle);
  play.className = "main";
  play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches; // then a reader takes the steps alone
  const go = (to) => {
    halt();
    show(to);
    soon();
  };
  const back = named(button("‹", () => go(made - 1)), { "aria-label": texts.back });
  const on = named(button("›", () => go(made + 1)), { "aria-label": texts.on });
  const place_ = make("span", { className: "where" });
  range.oninput = () => {
    halt();
    show(Number(range.value));
  };
  range.onchange = soon;
  const deck = named(make("div", { className: "deck" }, play, back, range, on, place_), { role: "group", "aria-label": texts.deck });

  const KEYS = { ArrowLeft: () => go(made - 1), ArrowRight: () => go(made + 1), Home: () => go(0), End: () => go(n), " ": toggle };
  const press = (event) => {
    if (!(event.key in KEYS) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (busy(event) || pressing(event)) return;
    // Elsewhere on the page Home, End and Space scroll; while somebody presents Space shows the numbers.
    const mine = event.composedPath().includes(root);
    if (!mine && (event.key === " " || (!data.presenting && !event.key.startsWith("Arrow")))) return;
    if (event.key === " " && play.hidden) return;
    event.preventDefault();
    KEYS[event.key]();
  };
  document.addEventListener("keydown", press);

  // Through the words of the source by keyboard, in the order of the sentence; Escape lets go.
  weave.tabIndex = 0;
  weave.onkeydown = (event) => {
    const at = pointed?.source ?? -1;
    const to = { ArrowDown: Math.min(source.length - 1, at + 1), ArrowUp: Math.max(0, at - 1), Escape: null }[event.key];
    if (to === undefined || (to === null && !pointed)) return;
    event.preventDefault();
    event.stopPropagation();
    lookAt(to);
  };
  const panel = make("div", { className: "offer" }, make("h4", {}, texts.candidates), make("p", { className: "how" }, texts.how), list);
  root.replaceChildren(deck, make("div", { className: "halves" }, make("div", {}, weave, said), panel));
  const controls = () => [...deck.querySelectorAll("button, input"), weave];
  const focusing = (event) => (root.kept.focus = controls().indexOf(event.target));
  root.addEventListener("focusin", focusing);
  show(made);
  place();
  if (hadFocus && focused >= 0) controls()[focused]?.focus({ preventScroll: true });

  if (made !== data.made) soon(); // a wish that another answer overtook
  // A finger that touches anything else lets go of the word it touched before.
  root.onpointerdown = (event) => {
    if (event.pointerType !== "touch" || event.target.closest(".item")) return;
    lookAt(null);
    signal("target", "decode", null);
  };
  const sizes = new ResizeObserver(place);
  sizes.observe(root);
  const unfollow = [
    follow("decode", (_, column) => point(column !== null && column in source ? { source: column } : null)),
    heed("target", "decode", (target) => point(target !== null && target in targets && last[target] < made ? { target } : null)),
  ];
  document.fonts?.ready.then(place);
  return () => {
    halt();
    clearTimeout(later);
    sizes.disconnect();
    unfollow.forEach((one) => one());
    document.removeEventListener("keydown", press);
    root.removeEventListener("focusin", focusing);
  };
}
