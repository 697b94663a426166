// The WAI-ARIA grid pattern: one tab stop, arrow keys move, Enter or Space chooses.
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { shades, numbers, texts } = data;
  const kept = (root.kept ??= { at: null }); // where the focus was, for the next drawing
  const hadFocus = root.contains(parentElement.activeElement ?? null);
  const [layers, heads] = [shades.length, shades[0].length];
  const off = new Set(data.off.map(String));
  const table = []; // table[0] holds the heads' numbers, table[l + 1][0] the layer's

  const text = (layer, head) =>
    filled(off.has(`${layer},${head}`) ? texts.cell_off : texts.cell, {
      layer: layer + 1, head: head + 1, value: numbers[layer][head],
    });

  function edge(name, number, some) {
    const cell = make("div", { className: "edge number", tabIndex: -1 }, String(number));
    cell.setAttribute("role", name === "line" ? "rowheader" : "columnheader");
    if (!texts[name]) return cell;
    cell.classList.add("button");
    cell.setAttribute("aria-label", filled(texts[name], { number }));
    cell.title = filled(texts[name], { number });
    cell.act = () => setTriggerValue("heads", some);
    return cell;
  }

  function cell(layer, head) {
    const it = make("div", { className: "cell", tabIndex: -1 });
    it.setAttribute("role", "gridcell");
    it.setAttribute("aria-label", text(layer, head));
    it.style.setProperty("--shade", `${Math.round(100 * shades[layer][head])}%`);
    const chosen = data.chosen && data.chosen[0] === layer && data.chosen[1] === head;
    it.setAttribute("aria-selected", String(!!chosen));
    it.classList.toggle("off", off.has(`${layer},${head}`));
    it.act = () => setTriggerValue("heads", [[layer, head]]);
    it.onpointerenter = () => (said.textContent = text(layer, head));
    it.addEventListener("focus", () => (said.textContent = text(layer, head)));
    return it;
  }

  const said = make("p", { className: "said number" });
  const grid = make("div", { className: "grid" });
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", texts.title);
  grid.style.setProperty("--heads", heads);
  const all = [...Array(layers).keys()];
  const line = (...cells) => {
    const row = make("div", {}, ...cells);
    row.setAttribute("role", "row");
    table.push(cells);
    grid.append(row);
  };
  const corner = make("div", { className: "corner" }, texts.corner);
  corner.setAttribute("role", "columnheader");
  line(corner, ...[...Array(heads).keys()].map((head) => edge("column", head + 1, all.map((layer) => [layer, head]))));
  for (const layer of all) {
    const some = [...Array(heads).keys()].map((head) => [layer, head]);
    line(edge("line", layer + 1, some), ...some.map(([, head]) => cell(layer, head)));
  }
  grid.onpointerleave = rest;
  grid.onclick = (event) => {
    const at = find(event.target);
    if (!at) return;
    rove(at);
    table[at[0]][at[1]].act?.();
  };
  grid.onkeydown = (event) => {
    const at = find(event.target);
    if (!at) return;
    if (event.key in MOVES) {
      const [down, across] = MOVES[event.key];
      const to = [Math.min(layers, Math.max(0, at[0] + down)), Math.min(heads, Math.max(0, at[1] + across))];
      if (to[0] || to[1]) rove(to).focus();
    } else if (event.key === "Home" || event.key === "End") {
      rove([at[0], event.key === "Home" ? 1 : heads]).focus();
    } else if (event.key === "Enter" || event.key === " ") {
      table[at[0]][at[1]].act?.();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  function find(target) {
    for (const [i, cells] of table.entries()) {
      const j = cells.indexOf(target.closest?.("[role$=cell], [role$=header]"));
      if (j >= 0) return [i, j];
    }
    return null;
  }

  function rove(to) {
    for (const one of table.flat()) one.tabIndex = -1;
    kept.at = to;
    const it = table[to[0]][to[1]];
    it.tabIndex = 0;
    return it;
  }

  // While nobody points anywhere, the chosen head is read.
  function rest() {
    said.textContent = data.chosen ? text(...data.chosen) : "";
  }

  root.replaceChildren(make("div", { className: "scroll" }, grid), said);
  const start = kept.at ?? (data.chosen ? [data.chosen[0] + 1, data.chosen[1] + 1] : [1, 1]);
  const first = rove(start);
  rest();
  if (hadFocus) first.focus({ preventScroll: true });
}
