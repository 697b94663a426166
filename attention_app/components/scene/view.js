// The query on the left (on a phone above), rows of key, score, weight and value, and a line to each key, as strong as
// its weight. Pointing at a row brings out its line and tells the page's other views. The field outlives a redraw:
// somebody may be typing in it.
const SVG = "http://www.w3.org/2000/svg";
const shape = (name, attributes, ...children) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const EQUAL = 0.12; // the strength of every line while a class guesses

// A vector as bars from its middle line, upwards for positive numbers.
function bars(numbers) {
  const side = (sign) => {
    const path = numbers.map((number, i) => (number * sign > 0 ? `M${i},0h.82v${-number}h-.82z` : "")).join("");
    return shape("path", { class: sign > 0 ? "plus" : "minus", d: path });
  };
  const line = shape("line", { x1: 0, x2: numbers.length, y1: 0, y2: 0, "vector-effect": "non-scaling-stroke" });
  const box = { viewBox: `0 -104 ${numbers.length} 208`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return shape("svg", { class: "vector", ...box }, line, side(1), side(-1));
}

// "title: keywords" in two lines.
function titled(text) {
  const cut = text.search(/[：:]/);
  if (cut < 1 || cut === text.length - 1) return [make("strong", {}, text)];
  return [make("strong", {}, text.slice(0, cut)), make("span", {}, text.slice(cut + 1).trim())];
}

export default function ({ data, parentElement, setTriggerValue }) {
  const { kind, query, rows, texts, hidden } = data;
  const root = parentElement.querySelector(".root");
  const head = kind === "head";
  const channel = head ? null : "scene";

  // ------------------------------------------------------------------------------------------- what is looked for

  const stage = root.querySelector(".stage") ?? make("div");
  stage.className = `stage ${head ? "of-head" : kind}`;
  const card = stage.querySelector(".query") ?? make("div", { className: "query" });
  const role = make("span", { className: "role" }, texts.query);
  if (query.field) field();
  else card.replaceChildren(role, make("span", { className: "asked" }, query.text), bars(query.vector));

  function field() {
    const ask = card.querySelector(".ask") ?? make("textarea", { className: "ask", rows: 1, spellcheck: false });
    const grow = () => {
      ask.style.height = "auto";
      ask.style.height = `${ask.scrollHeight + 2}px`;
    };
    ask.setAttribute("aria-label", texts.query);
    ask.maxLength = query.most;
    if (Number(ask.dataset.version ?? -1) !== query.version) {
      ask.value = query.text;
      ask.dataset.version = query.version;
      ask.dataset.sent = query.text;
    }
    const send = () => {
      if (ask.value === ask.dataset.sent) return;
      ask.dataset.sent = ask.value;
      setTriggerValue("ask", ask.value);
    };
    ask.onchange = send;
    ask.oninput = grow;
    ask.onkeydown = (event) => {
      if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return; // an input method's own Enter
      event.preventDefault();
      send();
    };
    if (!ask.isConnected) {
      const problem = make("p", { className: "problem" });
      problem.setAttribute("role", "alert");
      card.replaceChildren(role, ask, make("p", { className: "enter" }), problem);
    }
    card.querySelector(".role").textContent = texts.query;
    card.querySelector(".enter").textContent = texts.enter;
    const problem = card.querySelector(".problem");
    if (problem.textContent !== query.problem) problem.textContent = query.problem;
    requestAnimationFrame(grow);
  }

  // -------------------------------------------------------------------------------------------------- the rows

  const strongest = [...rows.keys()].sort((a, b) => rows[b].share - rows[a].share);
  const inFront = new Set(data.first === null ? rows.keys() : strongest.slice(0, data.first));
  const all = () => root.dataset.all === "yes" || inFront.size === rows.length;
  const places = () => [...rows.keys()].filter((i) => all() || inFront.has(i));
  const list = stage.querySelector(".rows") ?? make("div", { className: "rows" });
  list.setAttribute("role", "list");
  const wires = stage.querySelector(".wires") ?? shape("svg", { class: "wires", "aria-hidden": "true" });
  let elements = new Map();

  function measure(name, label, text, share) {
    const fill = make("i");
    fill.style.width = `${100 * share}%`;
    const track = make("span", { className: "track" }, fill);
    return make("div", { className: `measure ${name}` }, make("small", {}, label), make("b", {}, text), track);
  }

  function row(i) {
    const { key, value, score, reach, weight, share, spoken, k, v } = rows[i];
    const nth = make("small", { className: "nth", ariaHidden: "true" }, String(i + 1));
    const label = make("div", { className: "key" }, ...(k ? [make("strong", {}, key), bars(k)] : [...titled(key), nth]));
    const held = make("div", { className: "value" }, v ? bars(v) : value);
    const measures = [measure("score", texts.score, score, reach), measure("weight", texts.weight, weight, share)];
    const element = make("div", { className: "row", tabIndex: 0 }, label, ...measures, held);
    element.style.setProperty("--share", share);
    element.setAttribute("role", "listitem");
    element.setAttribute("aria-label", spoken);
    element.onpointerenter = () => point(i);
    element.onpointerleave = () => point(null);
    element.onfocus = () => point(i);
    element.onblur = () => point(null);
    return element;
  }

  function draw() {
    const title = (className, text) => make("span", { className }, make("b", {}, text));
    const titles = [title("of-key", texts.key), title("", texts.score), title("", texts.weight), title("of-value", texts.value)];
    const line = make("div", { className: "head" }, ...titles);
    line.setAttribute("aria-hidden", "true");
    elements = new Map(places().map((i) => [i, row(i)]));
    list.replaceChildren(line, ...elements.values());
    if (inFront.size < rows.length) {
      const more = make("button", { type: "button", className: "more", textContent: all() ? texts.fewer : texts.more });
      more.setAttribute("aria-expanded", String(all()));
      more.onclick = () => {
        root.dataset.all = all() ? "no" : "yes";
        draw();
        list.querySelector(".more").focus();
      };
      list.append(more);
    }
    layOut();
  }

  list.onkeydown = (event) => {
    const order = [...elements.values()];
    const at = order.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    order[Math.min(order.length - 1, Math.max(0, to))].focus();
    event.preventDefault();
  };

  // -------------------------------------------------------------------------------------------------- the lines

  function layOut() {
    const frame = stage.getBoundingClientRect();
    if (!frame.width) return;
    const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const from = card.getBoundingClientRect();
    const above = from.bottom <= list.getBoundingClientRect().top + 1; // on a phone
    const lines = [...elements].map(([i, element]) => {
      const to = element.querySelector(".key").getBoundingClientRect();
      const [x, y] = [to.left - frame.left, to.top + to.height / 2 - frame.top];
      const share = hidden ? EQUAL : rows[i].share;
      const line = { "stroke-width": (1 + (above ? 7 : 12) * share) * zoom, opacity: 0.18 + 0.82 * share };
      if (above) {
        const down = from.bottom - frame.top;
        const left = x - 22 * zoom + 14 * zoom * (1 - share); // the strong ones outside
        return shape("path", { ...line, d: `M${left},${down} V${y - 12 * zoom} Q${left},${y} ${left + 8 * zoom},${y} H${x}` });
      }
      const [left, middle] = [from.right - frame.left, from.top + from.height / 2 - frame.top];
      const bend = (x - left) * 0.55;
      return shape("path", { ...line, d: `M${left},${middle} C${left + bend},${middle} ${x - bend},${y} ${x},${y}` });
    });
    wires.replaceChildren(...lines);
  }

  // ----------------------------------------------------------------------------------------------- pointing

  function mark(i) {
    [...elements].forEach(([one, element], nth) => {
      element.classList.toggle("here", one === i);
      wires.children[nth]?.classList.toggle("far", i !== null && one !== i);
    });
  }

  function point(i) {
    mark(i);
    if (channel) signal(channel, root, i);
    else announce(root, null, i === null ? null : rows[i].at);
  }

  const followed = (_, column) => mark(column === null ? null : rows.findIndex(({ at }) => at === column));
  const unfollow = channel ? heed(channel, root, mark) : follow(root, followed);

  if (!card.isConnected) {
    stage.replaceChildren(wires, card, list);
    root.replaceChildren(stage);
  }
  draw();
  const resized = new ResizeObserver(layOut);
  resized.observe(stage);
  resized.observe(card);
  return () => {
    unfollow();
    resized.disconnect();
  };
}
