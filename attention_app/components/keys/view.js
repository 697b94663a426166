const deepest = (at) => (at?.shadowRoot?.activeElement ? deepest(at.shadowRoot.activeElement) : at);

let pressed = false; // since `at` was seen
let at; // what was looked at in the last drawing

// Call act() when the run is over, for only then all of the page is new. The view is drawn anew in the meantime.
const afterRun = (act) => {
  const app = document.querySelector(".stApp");
  const state = "data-test-script-state";
  const come = () => {
    if (app.getAttribute(state) !== "notRunning") return;
    seen.disconnect();
    requestAnimationFrame(act);
  };
  const seen = new MutationObserver(come);
  seen.observe(app, { attributeFilter: [state] });
  come();
};
const bringIntoView = (selector) => {
  const thing = document.querySelector(selector);
  if (!thing) return;
  const { top, bottom } = thing.getBoundingClientRect();
  const least = parseFloat(getComputedStyle(thing).scrollMarginTop);
  if (top < least || bottom > innerHeight) thing.scrollIntoView({ block: "start" });
};

export default function ({ data, setTriggerValue }) {
  if (data.at !== at) {
    if (pressed && data.look) afterRun(() => bringIntoView(data.look));
    [at, pressed] = [data.at, false];
  }
  const press = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (busy(event) || pressing(event)) return;
    if (!data.names.includes(event.key)) return;
    event.preventDefault();
    pressed = true;
    setTriggerValue("pressed", event.key);
  };
  // Where Space is a key of the lesson, what was clicked lets go of the keys. Text fields and dialogs keep them.
  // Heard on its way down, for Streamlit's buttons stop it, and done when it has done its work.
  const clicked = (event) => {
    const byKey = !event.detail;
    if (byKey || !data.names.includes(" ")) return;
    if (event.composedPath().some((node) => node.matches?.("[role=dialog], dialog"))) return;
    setTimeout(release);
  };
  const release = () => {
    const held = deepest(document.activeElement);
    if (!held?.matches("textarea, select, input:not([type=radio], [type=checkbox])")) held?.blur();
  };
  document.addEventListener("keydown", press);
  document.addEventListener("click", clicked, true);
  return () => {
    document.removeEventListener("keydown", press);
    document.removeEventListener("click", clicked, true);
  };
}
