// Reads the chart's geometry from the page: the plot area is one rectangle, and its axes are numbered, so that row r
// is centred at r and column c at c, special tokens at data.places.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { texts, places } = data;
  const columns = places.length ? [-1, ...Array(data.rows).keys(), ...places.slice(1).map((_, i) => -2 - i)] : [...Array(data.rows).keys()];
  const xOf = (column) => (column < 0 ? places[-1 - column] : column);
  const pick = (row, column) => {
    const word = data.byColumn ? column : row;
    if (word >= 0) setTriggerValue("pick", word);
  };

  const hint = matchMedia("(pointer: coarse)").matches ? texts.touch : texts.hint;
  // A grid of which one cell at a time is in the page: assistive technology is told which, of how many.
  const cell = make("div", { className: "cell idle", tabIndex: 0 }, hint);
  cell.setAttribute("role", "gridcell");
  const line = make("div", {}, cell);
  line.setAttribute("role", "row");
  const grid = make("div", { className: "grid" }, line);
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", texts.label);
  grid.setAttribute("aria-rowcount", data.rows);
  grid.setAttribute("aria-colcount", columns.length);
  const live = make("span", {});
  live.setAttribute("aria-live", "polite");
  live.setAttribute("style", "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)");
  const scale = make("div", { className: "scale" }, texts.low, make("span", { className: "ramp" }), texts.high);
  const hadFocus = parentElement.activeElement?.classList.contains("cell");
  root.replaceChildren(make("div", { className: "below" }, grid, scale, live));

  let at = { row: data.byColumn ? 0 : (data.chosen ?? 0), column: data.byColumn ? (data.chosen ?? 0) : 0 };
  let chart = null;
  let overlay = null;

  function say(row, column) {
    const known = shelf.numbers;
    const rowKnown = row !== null && row >= 0 && row < data.rows;
    if (!known || !rowKnown || column === null || !columns.includes(column)) {
      cell.className = "cell idle";
      cell.replaceChildren(hint);
      return "";
    }
    const value = known.shown ? digits(known.weight(row, column), known.decimals) : texts.hidden;
    const values = { query: known.labels[row], key: known.name(column), value };
    const parts = texts.reading.split(/(\{\w+\})/).map((part) => {
      const field = part.slice(1, -1);
      return part[0] === "{" && field in values ? make("span", { className: field }, values[field]) : part;
    });
    cell.className = "cell";
    cell.replaceChildren(...parts);
    return cell.textContent;
  }

  function mark(row, column) {
    if (!overlay) return;
    const area = chart.querySelector(".nsewdrag");
    if (!area) return;
    const outer = overlay.parentElement.getBoundingClientRect();
    const inner = area.getBoundingClientRect();
    const [left, right] = chart.layout.xaxis.range;
    const across = inner.width / (right - left);
    const down = inner.height / data.rows;
    const [ox, oy] = [inner.left - outer.left, inner.top - outer.top];
    const hasRow = row !== null && row >= 0 && row < data.rows;
    const hasColumn = column !== null && columns.includes(column);
    const x = hasColumn ? ox + (xOf(column) - 0.5 - left) * across : 0;
    const y = oy + (hasRow ? row * down : 0);
    const bands = [];
    if (hasRow) bands.push(["query", ox, y, inner.width, down]);
    if (hasColumn) bands.push(["key", x, oy, across, inner.height]);
    if (hasRow && hasColumn) bands.push(["ink", x, y, across, down]);
    overlay.replaceChildren(
      ...bands.map(([role, left, top, width, height]) => {
        const band = make("div");
        const edge = role === "ink" ? "2.5px" : "1.5px";
        band.style.cssText = `position:absolute;box-sizing:border-box;border-radius:3px;left:${left}px;top:${top}px;width:${width}px;height:${height}px;border:${edge} solid var(--${role})`;
        band.className = `band-${role}`;
        return band;
      }),
    );
  }

  function show(row, column) {
    mark(row, column);
    return say(row, column);
  }

  // ------------------------------------------------------------------------------------------- from the chart

  const hovered = ({ points: [point] }) => {
    if (point.customdata === undefined) return; // not an attention weight
    const column = columns.reduce((best, c) => (Math.abs(xOf(c) - point.x) < Math.abs(xOf(best) - point.x) ? c : best));
    at = { row: Math.round(point.y), column };
    announce("bridge", at.row, at.column);
    show(at.row, at.column);
  };
  const left = () => {
    announce("bridge", null, null);
    show(null, null);
  };
  const clicked = ({ points: [point] }) => {
    if (point.customdata === undefined) return;
    hovered({ points: [point] });
    pick(at.row, at.column);
  };

  function attach() {
    const found = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    if (found === chart && (!chart || overlay?.isConnected)) return;
    detach();
    if (!found?.on || !found.querySelector(".svg-container")) return;
    chart = found;
    overlay = make("div", { className: "attention-marks" });
    overlay.style.cssText = "position:absolute;inset:0;pointer-events:none;z-index:3";
    chart.querySelector(".svg-container").append(overlay);
    chart.on("plotly_hover", hovered);
    chart.on("plotly_unhover", left);
    chart.on("plotly_click", clicked);
  }

  function detach() {
    overlay?.remove();
    chart?.removeListener?.("plotly_hover", hovered);
    chart?.removeListener?.("plotly_unhover", left);
    chart?.removeListener?.("plotly_click", clicked);
    chart = overlay = null;
  }

  // A rerun may draw the chart anew, or move it; look once per frame in which the page changed.
  let waiting = 0;
  const watcher = new MutationObserver(() => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      attach();
    });
  });
  watcher.observe(document.body, { childList: true, subtree: true });
  attach();

  // ------------------------------------------------------------------------------------------- by keyboard

  function go(row, column) {
    at = { row, column };
    announce("bridge", row, column);
    live.textContent = show(row, column);
    cell.setAttribute("aria-rowindex", row + 1);
    cell.setAttribute("aria-colindex", columns.indexOf(column) + 1);
  }
  cell.onfocus = () => cell.matches(":focus-visible") && go(at.row, at.column);
  cell.onblur = left;
  cell.onkeydown = (event) => {
    const i = columns.indexOf(at.column);
    const within = (value, count) => Math.min(count - 1, Math.max(0, value));
    const move = {
      ArrowUp: () => go(within(at.row - 1, data.rows), at.column),
      ArrowDown: () => go(within(at.row + 1, data.rows), at.column),
      ArrowLeft: () => go(at.row, columns[within(i - 1, columns.length)]),
      ArrowRight: () => go(at.row, columns[within(i + 1, columns.length)]),
      Home: () => go(at.row, columns[0]),
      End: () => go(at.row, columns.at(-1)),
      Enter: () => pick(at.row, at.column),
      " ": () => pick(at.row, at.column),
    }[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  if (hadFocus) cell.focus({ preventScroll: true });

  const unfollow = follow("bridge", show);
  return () => {
    unfollow();
    watcher.disconnect();
    cancelAnimationFrame(waiting);
    detach();
  };
}
