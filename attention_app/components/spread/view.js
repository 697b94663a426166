// One axis for all lines; dots that would cover each other stand one above the other.
export default function ({ data, parentElement }) {
  const { bands, dots, axis, limit, ticks, best, texts } = data;
  const root = parentElement.querySelector(".root");
  const [low, high] = axis;
  const place = (at) => `${(100 * (Math.min(high, Math.max(low, at)) - low)) / (high - low)}%`;
  const put = (element, at) => {
    element.style.left = place(at);
    return element;
  };
  const line = () => put(make("span", { className: "limit" }), limit);

  const rows = bands.map(({ label, low: from, high: to, middle, spoken }, nth) => {
    const band = put(make("span", { className: nth ? "band related" : "band" }), from);
    band.style.right = `calc(100% - ${place(to)})`;
    const room = make("div", { className: "room" }, band, put(make("span", { className: "middle" }), middle), line());
    room.setAttribute("role", "img");
    room.setAttribute("aria-label", spoken);
    return [make("div", { className: "label" }, label), room];
  });

  const note = make("p", { className: "note" });
  const rest = () => note.replaceChildren(make("i"), texts.limit);
  const room = make("div", { className: "room" }, line());
  room.setAttribute("role", "list");
  const made = dots.map(({ at, name, number }, i) => {
    const dot = put(make("span", { className: i === best ? "dot best" : "dot" }, String(i + 1)), at);
    dot.setAttribute("role", "listitem");
    dot.setAttribute("aria-label", filled(texts.dot, { name, number }));
    dot.onpointerenter = () => (mark(i), signal("scene", root, i));
    dot.onpointerleave = () => (mark(null), signal("scene", root, null));
    return dot;
  });
  room.append(...made);

  function stack() {
    if (!room.clientWidth) return;
    const size = 1.7 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const ends = []; // where the last dot of each lane ends
    const order = [...dots.keys()].sort((a, b) => dots[a].at - dots[b].at);
    for (const i of order) {
      const x = ((dots[i].at - low) / (high - low)) * room.clientWidth;
      let lane = ends.findIndex((end) => end <= x - size / 2);
      if (lane < 0) lane = ends.push(0) - 1;
      ends[lane] = x + size / 2;
      made[i].style.bottom = `${lane * size + 2}px`;
    }
    room.style.height = `${Math.max(1, ends.length) * size + 6}px`;
  }

  function mark(row) {
    made.forEach((dot, i) => dot.classList.toggle("here", i === row));
    if (row === null || !dots[row]) rest();
    else note.replaceChildren(filled(texts.dot, dots[row]));
  }

  const marks = ticks.map((at) => put(make("span", {}, at.toFixed(2)), at));
  const scale = make("div", { className: "ticks", ariaHidden: "true" }, ...marks);
  const heading = make("div", { className: "label rows" }, texts.rows);
  const picture = make("div", { className: "axis" }, ...rows.flat(), heading, room, make("span"), scale);
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", texts.title);
  root.replaceChildren(picture, note);
  mark(null);
  stack();
  const resized = new ResizeObserver(stack);
  resized.observe(room);
  const unheed = heed("scene", root, mark);
  return () => {
    unheed();
    resized.disconnect();
  };
}
