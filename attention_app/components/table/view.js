export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".root");
  let drawn = null;
  let visible = false;
  let rows = [];

  // Thousands of cells: drawn when somebody opens the table, not before.
  function draw() {
    const numbers = shelf.numbers;
    if (!visible || !numbers || drawn === numbers) return;
    drawn = numbers;
    const head = (text, scope) => {
      const cell = make("th", { scope }, text);
      return cell;
    };
    rows = numbers.labels.map((label, row) =>
      make(
        "tr",
        {},
        head(label, "row"),
        ...numbers.columns.map((column) =>
          make("td", {}, numbers.shown ? digits(numbers.weight(row, column), numbers.decimals) : data.texts.hidden),
        ),
      ),
    );
    rows.forEach((tr, row) => {
      tr.onpointerenter = () => announce("table", row, null);
      tr.onpointerleave = () => announce("table", null, null);
    });
    const names = make("tr", {}, head(data.texts.corner, "col"), ...numbers.columns.map((c) => head(numbers.name(c), "col")));
    const table = make("table", {}, make("caption", {}, data.texts.caption), make("thead", {}, names), make("tbody", {}, ...rows));
    const frame = make("div", { className: "frame", tabIndex: 0 }, table);
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", data.texts.caption);
    root.replaceChildren(frame);
  }

  root.style.minHeight = "40px";
  const seen = new IntersectionObserver(([entry]) => {
    visible = entry.isIntersecting;
    draw();
  });
  seen.observe(root);
  document.addEventListener("attn:numbers", draw);
  const unfollow = follow("table", (row) => rows.forEach((tr, i) => tr.classList.toggle("marked", i === row)));
  return () => {
    seen.disconnect();
    unfollow();
    document.removeEventListener("attn:numbers", draw);
  };
}
