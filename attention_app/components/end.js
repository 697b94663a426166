
// Put behind each view by register(). Streamlit calls a view anew at each change of its data, but calls what it returned
// only when the element leaves the page; without this a view would go on listening with every earlier version of itself.
const endings = (document.attentionEndings ??= new WeakMap());
export default (component) => {
  endings.get(component.parentElement)?.();
  const end = drawView(component);
  let ended = false;
  const once = () => {
    if (!ended) end?.();
    ended = true;
  };
  endings.set(component.parentElement, once);
  return once;
};
