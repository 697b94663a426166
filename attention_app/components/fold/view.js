export default function ({ data, parentElement }) {
  const head = (text, scope) => make("th", { scope }, text);
  const cell = (text) => {
    const made = make("td", {}, text);
    made.style.setProperty("--weight", Number(text) || 0);
    return made;
  };
  const names = make("tr", {}, make("td"), ...data.columns.map((name) => head(name, "col")), head(data.sumName, "col"));
  const rows = data.rows.map((name, i) =>
    make("tr", {}, head(name, "row"), ...data.cells[i].map(cell), make("td", { className: "sum" }, data.sums[i])),
  );
  const mean = make("th", { scope: "row", colSpan: data.columns.length + 1 }, data.meanName);
  const table = make(
    "table",
    {},
    make("thead", {}, names),
    make("tbody", {}, ...rows),
    make("tfoot", {}, make("tr", {}, mean, make("td", {}, data.result))),
  );
  const frame = make("div", { className: "frame", tabIndex: 0 }, table);
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", data.caption);
  parentElement.querySelector(".root").replaceChildren(make("p", {}, data.caption), frame);
}
