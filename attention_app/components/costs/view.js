// The cost table: see __init__.py. On a phone each row becomes a block that repeats the columns' names.
const named = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

export default function ({ data, parentElement }) {
  const { columns, rows, texts } = data;
  const head = make("tr", {}, ...[texts.layer, ...columns].map((name) => named(make("th", {}, name), { scope: "col" })));
  const cell = ({ formula, number, least }, i) =>
    make(
      "td",
      { className: least ? "least" : "" },
      make("span", { className: "column", ariaHidden: "true" }, columns[i]),
      make("span", { className: "formula" }, formula),
      make("span", { className: "number" }, number, ...(least ? [make("small", {}, texts.least)] : [])),
    );
  const lines = rows.map(([name, cells]) => make("tr", {}, named(make("th", {}, name), { scope: "row" }), ...cells.map(cell)));
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines));
  parentElement.querySelector(".root").replaceChildren(named(table, { "aria-label": texts.title }));
}
