// Sliders that share 1: the WAI-ARIA slider pattern for each, dragged up and down or moved by the arrow keys.
const STEP = 0.05;

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const { labels, specials, texts, decimals } = data;
  const kept = (root.kept ??= { focus: null });
  const hadFocus = root.contains(parentElement.activeElement ?? null) ? kept.focus : null;
  let weights = [...data.weights];

  const bars = labels.map((label, i) => {
    const fill = make("span", { className: "fill" });
    const track = make("span", { className: "track", tabIndex: 0 }, fill);
    const number = make("span", { className: "number value" });
    track.setAttribute("role", "slider");
    track.setAttribute("aria-orientation", "vertical");
    track.setAttribute("aria-label", filled(texts.bar, { word: label }));
    track.setAttribute("aria-valuemin", "0");
    track.setAttribute("aria-valuemax", "1");
    const name = make("span", { className: specials.includes(i) ? "name special" : "name" }, label);
    track.onpointerdown = (event) => {
      if (event.button) return;
      event.preventDefault();
      track.focus();
      track.setPointerCapture(event.pointerId);
      drag(event);
      track.onpointermove = drag;
      track.onpointerup = track.onpointercancel = () => {
        track.onpointermove = track.onpointerup = track.onpointercancel = null;
        send();
      };
    };
    const drag = ({ clientY }) => {
      const box = track.getBoundingClientRect();
      set(i, (box.bottom - clientY) / box.height);
    };
    track.onfocus = () => (kept.focus = i);
    track.onkeydown = (event) => {
      const to = {
        ArrowUp: weights[i] + STEP, ArrowDown: weights[i] - STEP, PageUp: weights[i] + 4 * STEP, PageDown: weights[i] - 4 * STEP,
        Home: 0, End: 1,
      }[event.key];
      if (to !== undefined) {
        set(i, to);
        send();
      } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        bars[i + (event.key === "ArrowRight" ? 1 : -1)]?.track.focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
    return { element: make("span", { className: "item" }, number, track, name), track, fill, number };
  });

  // The others share what is left as they did before, evenly if they had nothing.
  function set(i, wanted) {
    const weight = Math.min(1, Math.max(0, wanted));
    const rest = weights.reduce((sum, other, j) => (j === i ? sum : sum + other), 0);
    weights = weights.map((other, j) =>
      j === i ? weight : rest > 1e-9 ? (other / rest) * (1 - weight) : (1 - weight) / (weights.length - 1),
    );
    show();
  }

  function show() {
    bars.forEach(({ track, fill, number }, i) => {
      fill.style.height = `${100 * weights[i]}%`;
      number.textContent = (weights[i] + 1e-9).toFixed(decimals);
      track.setAttribute("aria-valuenow", weights[i].toFixed(3));
      track.setAttribute("aria-valuetext", number.textContent);
    });
  }

  // Whole thousandths with the sum 1000: the largest one takes what rounding left over.
  function send() {
    const whole = weights.map((weight) => Math.round(1000 * weight));
    const most = whole.indexOf(Math.max(...whole));
    whole[most] += 1000 - whole.reduce((sum, one) => sum + one, 0);
    setTriggerValue("row", whole);
  }

  const list = make("div", { className: "row" });
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", texts.title);
  list.append(...bars.map(({ element }) => element));
  root.replaceChildren(make("div", { className: "scroll" }, list));
  show();
  if (hadFocus !== null) bars[hadFocus]?.track.focus({ preventScroll: true });
}
