// Two lines of words, bars up and bars down, and lines between words that belong together. Each line is one tab stop:
// arrow keys move along it, Enter or Space chooses above and pairs below.
const SVG = "http://www.w3.org/2000/svg";

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { texts, pairs, free } = data;
  const [upper, lower] = data.lines;
  const kept = (root.kept ??= { scroll: null, focus: null }); // scroll null: nobody has scrolled yet
  const hadFocus = root.contains(parentElement.activeElement ?? null) ? kept.focus : null;
  const partner = pairs.find(([above]) => above === upper.chosen)?.[1] ?? null;

  const item = ({ label, weight, number }, special, below) => {
    const bar = make("span", { className: "bar" }, make("span", { className: "fill" }));
    bar.firstChild.style.height = `${100 * weight}%`;
    const value = make("span", { className: "number value" }, number);
    const word = make(special ? "span" : "button", { className: special ? "word special" : "word" }, label);
    return make("span", { className: "item" }, ...(below ? [word, value, bar] : [bar, value, word]));
  };

  function line({ title, words, before, after, chosen }, below) {
    const act = below ? (free && upper.chosen !== null ? (i) => setTriggerValue("pair", i) : null) : (i) => setTriggerValue("choose", i);
    const items = words.map((look) => item(look, false, below));
    const buttons = items.map((it) => it.querySelector(".word"));
    buttons.forEach((button, i) => {
      button.type = "button";
      button.tabIndex = i === (chosen ?? 0) ? 0 : -1;
      button.classList.toggle("chosen", i === chosen);
      const values = below
        ? { word: upper.chosen === null ? "" : upper.words[upper.chosen].label, other: words[i].label }
        : { word: words[i].label };
      const said = !below ? texts.choose : !act ? "{other}" : i === partner ? texts.unpair : texts.pair;
      button.setAttribute("aria-label", `${filled(said, values)} ${words[i].number}`);
      if (below) button.title = act ? filled(said, values) : "";
      else button.setAttribute("aria-pressed", String(i === chosen));
      button.onclick = () => act?.(i);
      button.onpointerenter = () => light(below, i);
      button.onpointerleave = () => light(below, null);
      button.onfocus = () => {
        kept.focus = [below, i];
        light(below, i);
      };
      button.onblur = () => light(below, null);
      button.onkeydown = (event) => {
        const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: buttons.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const next = buttons[Math.min(buttons.length - 1, Math.max(0, to))];
        for (const one of buttons) one.tabIndex = one === next ? 0 : -1;
        next.focus();
      };
    });
    const list = make("div", { className: below ? "line below" : "line" });
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", title);
    list.append(...before.map((look) => item(look, true, below)), ...items, ...after.map((look) => item(look, true, below)));
    return { list, buttons };
  }

  const above = line(upper, false);
  const below = line(lower, true);
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("aria-hidden", "true");
  const paths = pairs.map(([i, j]) => {
    const path = document.createElementNS(SVG, "path");
    path.classList.toggle("chosen", i === upper.chosen);
    drawing.append(path);
    return { path, i, j };
  });
  const middle = make("div", { className: "middle" });
  middle.append(drawing);
  const tall = make("div", { className: "both" }, above.list, middle, below.list);
  const scroll = make("div", { className: "scroll" }, tall);
  root.replaceChildren(
    make("p", { className: "title" }, upper.title), scroll, make("p", { className: "title" }, lower.title),
  );
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", texts.title);

  function light(isBelow, index) {
    for (const { path, i, j } of paths) path.classList.toggle("lit", index !== null && (isBelow ? j : i) === index);
    const lit = paths.filter(({ path }) => path.classList.contains("lit"));
    above.buttons.forEach((button, i) => button.classList.toggle("lit", lit.some((one) => one.i === i)));
    below.buttons.forEach((button, j) => button.classList.toggle("lit", lit.some((one) => one.j === j)));
  }

  function draw() {
    const box = middle.getBoundingClientRect();
    if (!box.width) return;
    const centre = (button) => button.getBoundingClientRect().left + button.getBoundingClientRect().width / 2 - box.left;
    drawing.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    for (const { path, i, j } of paths) {
      const [x, to, h] = [centre(above.buttons[i]), centre(below.buttons[j]), box.height];
      path.setAttribute("d", `M${x} 0C${x} ${h / 2} ${to} ${h / 2} ${to} ${h}`);
    }
  }
  const watch = new ResizeObserver(draw);
  watch.observe(tall);
  watch.observe(root);
  const chosen = above.buttons[upper.chosen];
  if (kept.scroll !== null) scroll.scrollLeft = kept.scroll;
  else if (chosen) scroll.scrollLeft = chosen.offsetLeft + chosen.offsetWidth / 2 - scroll.clientWidth / 2;
  const keep = () => (kept.scroll = scroll.scrollLeft);
  scroll.onwheel = scroll.onpointerdown = () => (scroll.onscroll = keep); // scrolled by hand, not by the line above
  if (hadFocus) (hadFocus[0] ? below : above).buttons[hadFocus[1]]?.focus({ preventScroll: true });
  return () => watch.disconnect();
}
