// Names are read anywhere outside our own views (their shadow roots are closed to a search); text only where Streamlit
// itself speaks, never in what a person wrote.
const NAMES = ["aria-label", "title"];
const SPEAKS = ["stMainMenuPopover", "stStatusWidget", "stSkipToContent", "stDialog"];
const NAMED = NAMES.map((name) => `[${name}]`).join();
const SPOKEN = SPEAKS.map((id) => `[data-testid=${id}]`).join();

export default function ({ data }) {
  const helped = data.helped.known.map((template) => template.split("{label}"));
  const translated = (said) => {
    if (Object.hasOwn(data.words, said)) return data.words[said];
    const form = helped.find(([before, after]) => said.startsWith(before) && said.endsWith(after));
    if (!form) return said;
    return filled(data.helped.ours, { label: said.slice(form[0].length, said.length - form[1].length) });
  };
  const speak = () => {
    for (const element of document.querySelectorAll(NAMED)) {
      for (const name of NAMES) {
        const said = element.getAttribute(name);
        if (said && translated(said) !== said) element.setAttribute(name, translated(said));
      }
    }
    for (const place of document.querySelectorAll(SPOKEN)) {
      const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const said = texts.currentNode.nodeValue;
        if (translated(said) !== said) texts.currentNode.nodeValue = translated(said); // the node stays Streamlit's
      }
    }
  };
  speak();
  const observer = new MutationObserver(speak); // runs before the page is painted: no English flashes up
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: NAMES });
  return () => observer.disconnect();
}
