// Each bar is 100 %, cut by weight in the order of the rows. A part that is pointed at stands out in every bar.
export default function ({ data, parentElement, setTriggerValue }) {
  const { wholes, parts, columns, texts, hidden } = data;
  const root = parentElement.querySelector(".root");
  const focused = [...root.querySelectorAll("button.whole")].indexOf(parentElement.activeElement);
  const marked = [];

  const pointable = (element, i) => {
    element.onpointerenter = () => point(i);
    element.onpointerleave = () => point(null);
    marked.push([element, i]);
    return element;
  };

  const said = (i, nth) => filled(texts.part, { name: parts[i].name, weight: parts[i].weights[nth] });

  // A part bears its weight, and where there is only one bar its name too; what has no room beside the strut wraps out
  // of sight, so that no number is cut.
  function part(i, nth, share) {
    const { name, weights } = parts[i];
    const bears = [make("i"), make("b", {}, weights[nth])];
    if (wholes.length === 1 && !hidden) bears.push(make("span", {}, name));
    const made = make("span", { className: "part", title: said(i, nth) }, ...bears);
    made.style.setProperty("--share", share);
    return pointable(made, i);
  }

  function whole({ label, chosen, parts: shared }, nth) {
    const bar = make(data.choosable ? "button" : "div", {}, ...shared.map((share, i) => part(i, nth, share)));
    bar.className = `whole${chosen && data.choosable ? " chosen" : ""}${hidden ? " equal" : ""}`;
    const list = shared.map((_, i) => said(i, nth)).join(texts.comma);
    bar.setAttribute("aria-label", label ? `${label}${texts.colon}${list}` : list);
    if (data.choosable) {
      bar.type = "button";
      bar.setAttribute("aria-pressed", String(chosen));
      bar.onclick = () => setTriggerValue("choose", nth);
    } else bar.setAttribute("role", "img");
    return label ? [make("span", { className: chosen ? "name chosen" : "name", ariaHidden: "true" }, label), bar] : [bar];
  }

  const labelled = wholes.some(({ label }) => label);
  const group = make("div", { className: labelled ? "wholes" : "wholes alone" }, ...wholes.flatMap(whole));
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", texts.title);

  function answer() {
    if (!data.answer) return [];
    return [make("p", { className: "answer" }, make("small", {}, texts.answer), make("strong", {}, data.answer))];
  }

  function table() {
    if (!columns.length) return [];
    const most = wholes[0].parts.indexOf(Math.max(...wholes[0].parts));
    const heading = (text, i) => make("th", { scope: "col", className: i ? "figure" : "" }, text);
    const titles = make("tr", {}, ...columns.map(heading));
    titles.children[2]?.after(make("th", { className: "bar", ariaHidden: "true" })); // beside the first number it shows
    const lines = parts.map(({ name, weights, numbers, reach }, i) => {
      const fill = make("i");
      fill.style.width = `${100 * reach}%`;
      const bar = make("td", { className: "bar", ariaHidden: "true" }, make("span", { className: "track" }, fill));
      const figures = [weights[0], ...numbers].map((text) => make("td", { className: "figure" }, text));
      const line = make("tr", { className: i === most && !hidden ? "most" : "" }, make("th", { scope: "row" }, name), ...figures);
      line.children[2].after(bar);
      return pointable(line, i);
    });
    return [make("table", { className: "parts" }, make("thead", {}, titles), make("tbody", {}, ...lines))];
  }

  function mark(row) {
    group.classList.toggle("pointing", row !== null);
    for (const [element, i] of marked) element.classList.toggle("here", i === row);
  }
  function point(row) {
    mark(row);
    signal("scene", root, row);
  }

  root.className = `root ${data.role}`;
  root.replaceChildren(...answer(), group, ...table());
  if (focused >= 0) root.querySelectorAll("button.whole")[focused]?.focus({ preventScroll: true });
  return heed("scene", root, mark);
}
