// Holds what a view needs and a click does not change; base.js hands it over.
export default function ({ data }) {
  givens.set(data.key, data);
  document.dispatchEvent(new Event("attn:given"));
}
