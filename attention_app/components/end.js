
// Put behind each view. Streamlit calls a view anew at each change of its data, but calls what it returned only when the
// element leaves the page; without this a view would go on listening with every earlier version of itself.
const endings = new WeakMap();
// Without its server a page can ask for nothing: the last wish of each kind waits until it is back (see reconnect).
const patient = (component) => ({
  ...component,
  setTriggerValue: (name, value) => {
    if (connected()) return component.setTriggerValue(name, value);
    shelf.wishes ??= new Map();
    shelf.wishes.delete(name); // the order is that of the last wishes
    shelf.wishes.set(name, () => component.setTriggerValue(name, value));
  },
});
return (component) => {
  const root = component.parentElement;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  endings.get(root)?.();
  const end = drawView(patient(component));
  let ended = false;
  const once = () => {
    if (!ended) end?.();
    ended = true;
  };
  endings.set(root, once);
  return once;
};
