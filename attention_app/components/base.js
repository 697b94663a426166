// Shared by all views; register() puts it in front of each view.js.

// An element with its properties and children. What a person typed comes in as a child or textContent: it stays text.
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// The page's one event between views: the cell, row or column a person points at. row and column are indices of the
// picture's words (or pieces); special tokens are -1, -2 in the order of their names; null is none.
const announce = (from, row, column) =>
  document.dispatchEvent(new CustomEvent("attn:hover", { detail: { from, row, column } }));

// Call act(row, column) when another view announces; returns the function that ends it.
const follow = (from, act) => {
  const heard = ({ detail }) => detail.from !== from && act(detail.row, detail.column);
  document.addEventListener("attn:hover", heard);
  return () => document.removeEventListener("attn:hover", heard);
};

// What one view was given and others read too, once per page instead of once per view: shelf.numbers, put there by
// the line view, who then says so with the event attn:numbers.
const shelf = (document.attentionShelf ??= {});

// A weight that travelled in millionths, as text; the nudge rounds a half up, as the server does.
const UNIT = 1e6;
const digits = (whole, decimals) => (whole / UNIT + 1e-9).toFixed(decimals);

// A text with its fields filled in; a field is never looked for inside a value, for people type those.
const filled = (template, values) =>
  template.replace(/\{(\w+)\}/g, (field, name) => (name in values ? values[name] : field));

// What travelled apart from a view because a click does not change it (see given/), by the view's key; and act(content)
// as soon as the content with this id is there. Returns the function that stops waiting.
const givens = (document.attentionGivens ??= new Map());
const whenGiven = (key, id, act) => {
  const come = () => {
    if (givens.get(key)?.id !== id) return;
    stop();
    act(givens.get(key).content);
  };
  const stop = () => document.removeEventListener("attn:given", come);
  document.addEventListener("attn:given", come);
  come();
  return stop;
};

// Call act() when light becomes dark or dark light; returns the function that ends it. A page that was taken along has no
// theme of its own and follows the reader's system.
const onTheme = (act) => {
  const later = () => requestAnimationFrame(act);
  const app = document.querySelector(".stApp");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const seen = new MutationObserver(later);
  if (app) seen.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  else dark.addEventListener("change", later);
  return () => {
    seen.disconnect();
    dark.removeEventListener("change", later);
  };
};

// Whether the page has its server; a page that was taken along needs none.
const CONNECTION = "data-test-connection-state";
const connected = () => {
  const app = document.querySelector(".stApp");
  return !app || app.getAttribute(CONNECTION) === "CONNECTED";
};

// The same for rows of their own kind, such as those of a shelf: each kind has its event, attn:<kind>.
const signal = (kind, from, row) =>
  document.dispatchEvent(new CustomEvent(`attn:${kind}`, { detail: { from, row } }));
const heed = (kind, from, act) => {
  const heard = ({ detail }) => detail.from !== from && act(detail.row);
  document.addEventListener(`attn:${kind}`, heard);
  return () => document.removeEventListener(`attn:${kind}`, heard);
};

// Whether a key belongs to what has the focus: to what is typed in or chosen from, or to what Space and Enter press. A view
// that handles arrow keys itself (a radio group, a grid) prevents their default before they come to the page.
const BUSY = ["INPUT", "TEXTAREA", "SELECT", "DIALOG"];
const busy = (event) => event.composedPath().some((node) => node.isContentEditable || BUSY.includes(node.tagName));
const PRESSED = "button, a, [role=button], [role=radio], [role=tab]"; // by Space and Enter themselves
const pressing = (event) =>
  [" ", "Enter"].includes(event.key) && event.composedPath().some((node) => node.matches?.(PRESSED));
