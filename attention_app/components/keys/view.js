// A view that handles arrow keys itself (a radio group, a grid) prevents their default before they come here.
const BUSY = ["INPUT", "TEXTAREA", "SELECT", "DIALOG"];
const busy = (event) => event.composedPath().some((node) => node.isContentEditable || BUSY.includes(node.tagName));
const PRESSED = "button, a, [role=button], [role=radio], [role=tab]"; // by Space and Enter themselves
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
