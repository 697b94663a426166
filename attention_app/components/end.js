
// Put behind each view. Streamlit calls a view anew at each change of its data, but calls what it returned only when the
// element leaves the page; without this a view would go on listening with every earlier version of itself.
const endings = new WeakMap();
return (component) => {
  const root = component.parentElement;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  endings.get(root)?.();
  const end = drawView(component);
  let ended = false;
  const once = () => {
    if (!ended) end?.();
    ended = true;
  };
  endings.set(root, once);
  return once;
};
