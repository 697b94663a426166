const FIRST = 10; // bars; the others of a long sentence are folded, unless it is only one or two
const FOLDED_FROM = 13;

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".root");
  const { texts } = data;

  const list = make("ol", { className: data.byColumn ? "bars by-column" : "bars", tabIndex: 0 });
  list.setAttribute("aria-label", texts.title);
  list.id = "row-bars";
  const items = new Map();
  for (const { at, label, note, weight, number, special } of data.bars) {
    const fill = make("span", { className: "fill" });
    fill.style.width = `${100 * weight}%`;
    const item = make(
      "li",
      { className: special ? "bar special" : "bar" },
      make("span", { className: "name", title: label }, label),
      make("span", { className: "note" }, note),
      make("span", { className: "track" }, fill),
      make("span", { className: "number" }, number),
    );
    item.onpointerenter = () => point(at);
    item.onpointerleave = () => point(null);
    items.set(at, item);
    list.append(item);
  }

  const total = make("p", { className: "total number" }, data.total);
  const foot = make("div", { className: "foot" }, total);
  const warning = data.warning ? [make("p", { className: "warning" }, data.warning)] : [];
  root.replaceChildren(list, ...rest(), ...warning, foot);
  if (data.heading) foot.append(copyButton());

  // Opened once, they stay open for the next word.
  function rest() {
    const all = [...items.values()];
    if (all.length < FOLDED_FROM) return [];
    const button = make("button", { type: "button", className: "rest" });
    button.setAttribute("aria-controls", list.id);
    const fold = () => {
      all.slice(FIRST).forEach((item) => (item.hidden = !root.opened));
      button.setAttribute("aria-expanded", String(!!root.opened));
      button.textContent = filled(root.opened ? texts.fewer : texts.rest, { count: root.opened ? FIRST : all.length - FIRST });
    };
    button.onclick = () => {
      root.opened = !root.opened;
      fold();
    };
    fold();
    return [button];
  }

  function point(at) {
    if (at === null) announce("row", null, null);
    else announce("row", data.byColumn ? at : data.of, data.byColumn ? data.of : at);
    mark(at);
  }

  function mark(at) {
    for (const [other, item] of items) item.classList.toggle("marked", other === at);
  }

  // Bars are keys (or with byColumn queries): the announced column (or row) is the bar.
  const unfollow = follow("row", (row, column) => {
    const at = data.byColumn ? row : column;
    mark(at);
    const item = items.get(at);
    if (!item || item.hidden) return;
    const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  });

  // The clipboard is closed to pages of a plain http address; then the text is laid out selected, ready for Ctrl+C.
  function copyButton() {
    const button = make("button", { type: "button", className: "copy" }, texts.copy);
    button.onclick = async () => {
      const text = [data.heading, ...data.bars.map(({ label, number }) => `${label}\t${number}`)].join("\n");
      let done = false;
      try {
        await navigator.clipboard.writeText(text);
        done = true;
      } catch {
        root.querySelector(".plain")?.remove();
        const area = make("textarea", { className: "plain", value: text, readOnly: true, rows: 6 });
        area.setAttribute("aria-label", texts.copy);
        root.append(area);
        area.select();
        done = document.execCommand("copy");
        if (done) area.remove();
      }
      if (!done) return;
      button.textContent = texts.copied;
      button.focus();
      setTimeout(() => (button.textContent = texts.copy), 2000);
    };
    button.setAttribute("aria-live", "polite");
    return button;
  }

  return unfollow;
}
