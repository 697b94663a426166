// A view that handles arrow keys itself (a radio group, a grid) prevents their default before they come here.
const BUSY = ["INPUT", "TEXTAREA", "SELECT", "DIALOG"];
const busy = (event) => event.composedPath().some((node) => node.isContentEditable || BUSY.includes(node.tagName));
// What Space and Enter press themselves; an option that is chosen already has no use for them.
const PRESSED = "button:not([aria-checked=true]), a, [role=button], [role=radio]:not([aria-checked=true]), [role=tab]";
const pressing = (event) =>
  [" ", "Enter"].includes(event.key) && event.composedPath().some((node) => node.matches?.(PRESSED));

export default function ({ data, setTriggerValue }) {
  const press = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (busy(event) || pressing(event)) return;
    if (!data.names.includes(event.key)) return;
    event.preventDefault();
    setTriggerValue("pressed", event.key);
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
