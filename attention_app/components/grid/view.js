// A map that grows with the translation: see __init__.py. Rows are drawn once; a step only changes what they show.
const FEW = 12; // columns: beyond, a number no longer fits its cell
const WIDE = 6; // letters: a longer name above its column stands upright

const wide = (letter) => letter > "\u2e7f"; // Chinese: stands upright in a column by itself

export default function ({ data, parentElement }) {
  let end = null;
  const stop = whenGiven(data.key, data.id, (given) => {
    end?.();
    end = draw({ ...given, ...data }, parentElement.querySelector(".root"));
  });
  return () => {
    stop();
    end?.();
  };
}

function draw(data, root) {
  const { rows, columns, weights, taken, texts, future, hidden } = data;
  const ofSource = future === "";
  const width = columns.length;
  const few = width <= FEW;
  const weight = (i, j) => weights[i * width + j];
  const shown = (whole) => (hidden ? "?" : digits(whole, data.decimals));
  let made = shelf.made ?? Infinity;
  let here = null; // the cell that is read out: [row, column], or null

  const head = (text, kind) => make("span", { className: `head ${kind}`, title: text }, text);
  const columnHeads = columns.map((text, j) =>
    head(text, `column-head${j === data.chosen ? " chosen" : ""}${[...text].some(wide) ? " han" : ""}`),
  );
  const rowHeads = rows.map((text) => head(text, "row-head"));
  const cells = rows.map(() => columns.map(() => make("i", { className: "cell" })));
  const longest = Math.max(...columns.map((text) => [...text].reduce((sum, letter) => sum + 1 + wide(letter), 0)));
  const upright = !few || longest > WIDE + 1;
  const map = make(
    "div",
    { className: `cells${few ? "" : " many"}${upright ? " upright" : ""}` },
    make("span"),
    ...columnHeads,
    ...rows.flatMap((_, i) => [rowHeads[i], ...cells[i]]),
  );
  map.style.gridTemplateColumns = `max-content repeat(${width}, ${few ? "minmax(3.1rem, 5.25rem)" : "minmax(1.125rem, 1.75rem)"})`;
  const scroll = make("div", { className: "scroll", tabIndex: 0 }, map);
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", texts.title);
  const read = make("p", { className: "read" });
  read.setAttribute("aria-live", "polite");
  const axis = make("p", { className: "axis" }, make("span", { className: "query" }, texts.rows), "　", make("span", { className: "key" }, texts.columns));
  root.replaceChildren(axis, scroll, read);

  const behind = (i, j) => future !== "" && j > i;
  function paint() {
    const now = taken.findIndex((at) => at >= made);
    rows.forEach((_, i) => {
      const there = taken[i] <= made || (i === now && made > (taken[i - 1] ?? 0));
      rowHeads[i].classList.toggle("now", i === now && there);
      columns.forEach((_, j) => {
        const cell = cells[i][j];
        const masked = future === "hidden" && behind(i, j);
        const share = there && !masked && !hidden ? weight(i, j) / UNIT : 0;
        cell.className = `cell${!there ? " later" : masked ? " masked" : ""}${there && future === "open" && behind(i, j) ? " open" : ""}`;
        cell.style.background = there && !masked ? `color-mix(in srgb, var(--key) ${(4 + 96 * share).toFixed(1)}%, var(--card))` : "";
        cell.style.color = share > 0.5 ? "var(--card)" : "var(--ink)";
        cell.textContent = few && there && !masked ? shown(weight(i, j)) : "";
      });
    });
    tell();
  }

  function tell() {
    cells.flat().forEach((cell) => cell.classList.remove("here"));
    if (!here) return void (read.textContent = texts.point);
    const [i, j] = here;
    cells[i][j].classList.add("here");
    const values = { row: rows[i], column: columns[j], number: shown(weight(i, j)) };
    const what = future === "hidden" && behind(i, j) ? texts.masked : cells[i][j].classList.contains("later") ? texts.later : texts.cell;
    read.textContent = filled(what, values);
  }
  function point(at) {
    here = at;
    tell();
    signal("target", data.key, at ? at[0] : null);
    if (ofSource) announce(data.key, null, at ? at[1] : null);
    light(at ? at[0] : null, at && ofSource ? at[1] : null);
  }
  function light(row, column) {
    rowHeads.forEach((one, i) => one.classList.toggle("lit", i === row));
    columnHeads.forEach((one, j) => one.classList.toggle("lit", j === column));
  }

  map.onpointerover = map.onpointerdown = (event) => {
    const at = map.children.length ? [...map.children].indexOf(event.target) : -1;
    const [line, place] = [Math.floor(at / (width + 1)), at % (width + 1)];
    if (line >= 1 && place >= 1) point([line - 1, place - 1]);
  };
  map.onpointerleave = ({ pointerType }) => pointerType !== "touch" && point(null);
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  scroll.onkeydown = (event) => {
    if (event.key === "Escape" && here) return void (event.preventDefault(), point(null));
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    const [down, right] = STEPS[event.key];
    const [i, j] = here ? [here[0] + down, here[1] + right] : [0, 0];
    point([Math.min(rows.length - 1, Math.max(0, i)), Math.min(width - 1, Math.max(0, j))]);
    cells[here[0]][here[1]].scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  paint();
  const unfollow = [
    heed("made", data.key, (to) => {
      made = to;
      paint();
    }),
    heed("target", data.key, (row) => light(row, null)),
    follow(data.key, (_, column) => ofSource && light(null, column)),
  ];
  return () => unfollow.forEach((one) => one());
}
