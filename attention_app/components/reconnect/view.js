const SCRIPT = "data-test-script-state";
const BLIP = 700; // ms; what is back sooner is not worth a word
const AGAIN = 4000; // ms
const READ = 2500; // ms that the good news stands there
const TITLE = "Connection error"; // of Streamlit's dialog

export default function ({ data, parentElement, setTriggerValue }) {
  const { texts } = data;
  const root = parentElement.querySelector(".root");
  const app = document.querySelector(".stApp");
  // In the page from the start, so that a screen reader knows it; a popover, so that no dialog covers it.
  const bar = root.querySelector(".bar") ?? make("div", { className: "bar", popover: "manual" });
  bar.setAttribute("role", "status");
  if (!bar.isConnected) root.replaceChildren(bar);
  let [lost, asked, timer, again] = [!connected(), false, 0, 0];

  const hide = () => bar.matches(":popover-open") && bar.hidePopover();
  const say = (what) => {
    bar.className = `bar ${what}`;
    bar.textContent = texts[what];
    if (!bar.matches(":popover-open")) bar.showPopover();
  };
  if (bar.matches(":popover-open")) bar.textContent = lost ? texts.lost : texts.back; // the language may have changed
  if (!lost) timer = setTimeout(hide, READ);

  // Streamlit's dialog would lock the page, which has more to show than that. Closed once, it does not come again.
  const dismiss = () => {
    if (!lost) return;
    for (const dialog of document.querySelectorAll("[data-testid=stDialog]")) {
      if (dialog.querySelector("h2")?.textContent === TITLE) dialog.querySelector("button").click();
    }
  };

  // A connection that has just come back may still lose the first question: asked again until a run answers.
  const ask = () => {
    if (!asked || lost) return;
    setTriggerValue("back", Date.now());
    again = setTimeout(ask, AGAIN);
  };

  // What was wished for meanwhile is carried out after the first run: a new server must know the page before.
  const carryOut = () => {
    asked = false;
    clearTimeout(again);
    timer = setTimeout(hide, READ);
    for (const wish of shelf.wishes?.values() ?? []) wish();
    shelf.wishes?.clear();
  };
  const look = (changes) => {
    const there = connected();
    if (there === lost) {
      lost = !there;
      clearTimeout(timer);
      if (lost) timer = setTimeout(() => say("lost"), BLIP);
      else {
        if (bar.matches(":popover-open")) say("back");
        asked = true;
        clearTimeout(again);
        ask();
      }
    }
    const ran = changes.some(({ attributeName }) => attributeName === SCRIPT);
    if (asked && ran && !lost && app.getAttribute(SCRIPT) === "notRunning") carryOut();
  };
  const observer = new MutationObserver(look);
  observer.observe(app, { attributes: true, attributeFilter: [CONNECTION, SCRIPT] });
  const dialogs = new MutationObserver(dismiss);
  dialogs.observe(document.body, { childList: true, subtree: true });
  return () => {
    clearTimeout(timer);
    clearTimeout(again);
    observer.disconnect();
    dialogs.disconnect();
  };
}
