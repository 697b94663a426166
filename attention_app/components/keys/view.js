const deepest = (at) => (at?.shadowRoot?.activeElement ? deepest(at.shadowRoot.activeElement) : at);

export default function ({ data, setTriggerValue }) {
  const press = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (busy(event) || pressing(event)) return;
    if (!data.names.includes(event.key)) return;
    event.preventDefault();
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
