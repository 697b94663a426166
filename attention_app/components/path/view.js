// The way between two words: see __init__.py.
const named = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { names, texts } = data;
  const [start, end] = data.pair;
  const focused = [...root.querySelectorAll("button")].indexOf(parentElement.activeElement);
  const send = (pair) => setTriggerValue("pair", pair);

  // The word that was chosen last becomes the start, the one that is clicked now the end.
  const chips = names.map((name, i) => {
    const role = i === start ? "start" : i === end ? "end" : "";
    const mark = role ? [make("small", {}, texts[role])] : [];
    const chip = make("button", { type: "button", className: `chip ${role}`, title: name }, make("span", { className: "name" }, name), ...mark);
    named(chip, { "aria-pressed": String(Boolean(role)), "aria-label": role ? `${name} ${texts[role]}` : name });
    chip.onclick = () => i !== end && send([end, i]);
    return chip;
  });
  const turn = make("button", { type: "button", className: "turn" }, texts.turn);
  turn.onclick = () => send([end, start]);
  const chooser = named(make("div", { className: "chips" }, ...chips, turn), { role: "group", "aria-label": texts.choose });

  const chain = ({ words, open }) => {
    const last = words.length - 1;
    const stops = words.flatMap((word, i) => {
      const stop = make("span", { className: `stop ${i === 0 ? "start" : i === last ? "end" : ""}`, title: word }, word);
      if (i === last) return [stop];
      return [stop, open ? make("span", { className: "step number" }, make("b", {}, String(i + 1)), "→") : make("span", { className: "wall" }, open === null ? "?" : "✕")];
    });
    return make("div", { className: "chain" }, ...stops);
  };
  const way = (one) => {
    const bar = make("b");
    bar.style.width = `${100 * one.bar}%`;
    return make(
      "div",
      { className: one.open === false ? "way shut" : "way" },
      make("div", { className: "network" }, make("span", {}, one.name), make("strong", { className: "number" }, one.steps)),
      chain(one),
      make("div", { className: "moved" }, make("span", { className: "track" }, bar), make("span", { className: "number" }, one.moved)),
    );
  };
  const directions = data.ways.map(([title, ways]) => make("section", {}, make("h4", {}, title), ...ways.map(way)));
  root.replaceChildren(make("p", { className: "how" }, texts.choose), chooser, make("div", { className: "directions" }, ...directions));
  if (focused >= 0) root.querySelectorAll("button")[focused]?.focus({ preventScroll: true }); // the keyboard goes on where it was
}
