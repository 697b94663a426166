// A small map for every head: see __init__.py. All of them are one radio group: arrow keys move, Enter or Space chooses.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { texts, chosen } = data;
  const [layers, count, rows, columns] = data.shape;
  const numbers = Uint8Array.from(atob(data.packed), (letter) => letter.charCodeAt(0));
  const focused = root.contains(parentElement.activeElement ?? null);

  const all = [];
  const groups = Array.from({ length: layers }, (_, layer) => {
    const made = Array.from({ length: count }, (_, tile) => {
      const name = filled(tile ? texts.head : texts.mean, { layer: layer + 1, head: tile });
      const canvas = make("canvas", { width: columns, height: rows });
      const button = make("button", { type: "button", className: "tile" }, canvas, make("span", { className: "name" }, name));
      const here = layer === chosen[0] && tile === chosen[1];
      button.setAttribute("role", "radio");
      button.setAttribute("aria-checked", String(here));
      button.tabIndex = here ? 0 : -1;
      button.onclick = () => !here && setTriggerValue("tile", [layer, tile]);
      all.push({ button, canvas });
      return button;
    });
    return make("div", { className: "layer" }, ...made);
  });
  root.style.setProperty("--count", count);
  root.replaceChildren(...groups);
  root.setAttribute("role", "radiogroup");
  root.setAttribute("aria-label", texts.title);
  root.onkeydown = (event) => {
    const at = all.findIndex(({ button }) => button === event.target);
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -count, ArrowDown: count }[event.key];
    if (at < 0 || by === undefined) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, at + by))].button.focus();
  };
  if (focused) all[chosen[0] * count + chosen[1]].button.focus({ preventScroll: true });

  function paint() {
    const color = getComputedStyle(root).getPropertyValue("--key");
    all.forEach(({ canvas }, tile) => {
      const context = canvas.getContext("2d");
      context.clearRect(0, 0, columns, rows);
      context.fillStyle = color;
      for (let cell = 0; cell < rows * columns; cell += 1) {
        context.globalAlpha = numbers[tile * rows * columns + cell] / 255;
        context.fillRect(cell % columns, Math.floor(cell / columns), 1, 1);
      }
    });
  }
  paint();
  return onTheme(paint);
}
