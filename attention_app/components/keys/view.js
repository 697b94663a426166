// A view that handles arrow keys itself (a radio group, a grid) prevents their default before they come here.
const BUSY = ["INPUT", "TEXTAREA", "SELECT", "DIALOG"];
const busy = (event) => event.composedPath().some((node) => node.isContentEditable || BUSY.includes(node.tagName));

export default function ({ data, setTriggerValue }) {
  const press = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || busy(event)) return;
    if (!data.names.includes(event.key)) return;
    event.preventDefault();
    setTriggerValue("pressed", event.key);
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
