const HEIGHT = 11; // rem, of the picture without what stands below it
const SVG = "http://www.w3.org/2000/svg";
const drawn = (tag, attributes, text = "") => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  return element;
};

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".root");
  const { lines, steps, texts } = data;
  let at = data.chosen;
  let width = 0;
  let place = () => 0;

  const numbers = lines.map(() => make("span", { className: "number" }));
  const names = make("ul", { className: "names" });
  names.append(
    ...lines.map(({ name, stroke }, i) => {
      const sample = drawn("svg", { viewBox: "0 0 34 10", "aria-hidden": "true" });
      sample.append(drawn("path", { d: "M1 5H33", class: stroke }));
      return make("li", {}, sample, name, numbers[i]);
    }),
  );
  const picture = drawn("svg", { "aria-hidden": "true" });
  const plot = make("div", { className: "plot", tabIndex: 0 }, picture);
  plot.setAttribute("role", "slider");
  plot.setAttribute("aria-label", texts.title);
  plot.setAttribute("aria-valuemin", "1");
  plot.setAttribute("aria-valuemax", String(steps.length));
  const where = make("p", { className: "where" });
  root.replaceChildren(names, plot, where);

  function draw() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const [left, right, top, low] = [2.6 * rem, 0.9 * rem, 0.7 * rem, 1.5 * rem];
    const height = HEIGHT * rem;
    const span = Math.max(width - left - right, 1);
    place = (i) => left + (steps.length > 1 ? (i / (steps.length - 1)) * span : span / 2);
    const level = (value) => top + (1 - (value - data.low) / (data.high - data.low)) * (height - top - low);
    picture.setAttribute("width", width);
    picture.setAttribute("height", height);
    const parts = data.marks.flatMap(([value, text]) => [
      drawn("path", { d: `M${left} ${level(value)}H${width - right}`, class: "mark" }),
      drawn("text", { x: left - 8, y: level(value) + 4, "text-anchor": "end" }, text),
    ]);
    const room = Math.max(...steps.map((step) => step.length)) * 0.95 * rem + 6; // Chinese characters are a rem wide
    const every = Math.max(1, Math.ceil(room / (span / Math.max(steps.length - 1, 1))));
    steps.forEach((step, i) => {
      if (i % every === 0) parts.push(drawn("text", { x: place(i), y: height - 4, "text-anchor": "middle" }, step));
    });
    if (!data.hidden) {
      parts.push(drawn("path", { d: `M${place(at)} ${top}V${height - low}`, class: "at" }));
      for (const { values, stroke } of lines) {
        const way = values.map((value, i) => `${place(i).toFixed(1)} ${level(value).toFixed(1)}`).join("L");
        parts.push(drawn("path", { d: `M${way}`, class: stroke }));
        parts.push(drawn("circle", { cx: place(at), cy: level(values[at]), r: 4.5 }));
      }
    }
    picture.replaceChildren(...parts);
    lines.forEach((line, i) => (numbers[i].textContent = line.numbers[at]));
    where.textContent = filled(texts.steps, { step: steps[at] });
    plot.setAttribute("aria-valuenow", String(at + 1));
    plot.setAttribute("aria-valuetext", [where.textContent, ...lines.map((line) => `${line.name} ${line.numbers[at]}`)].join(" · "));
  }

  function read(to) {
    const next = Math.max(0, Math.min(steps.length - 1, to));
    if (next === at) return;
    at = next;
    draw();
  }

  plot.onpointermove = (event) => {
    const x = event.clientX - plot.getBoundingClientRect().left;
    const [first, last] = [place(0), place(steps.length - 1)];
    if (last > first) read(Math.round(((x - first) / (last - first)) * (steps.length - 1)));
  };
  plot.onpointerdown = plot.onpointermove;
  plot.onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -steps.length, End: steps.length }[event.key];
    if (!by) return;
    event.preventDefault();
    read(at + by);
  };

  const watch = new ResizeObserver(() => {
    if (plot.clientWidth === width || !plot.clientWidth) return;
    width = plot.clientWidth;
    draw();
  });
  watch.observe(plot);
  width = plot.clientWidth;
  draw();
  return () => watch.disconnect();
}
