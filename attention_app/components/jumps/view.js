// A click brings the card into view and the focus with it. The address stays: it is the link to what is on the screen.
export default function ({ data, parentElement }) {
  const nav = make("nav", { className: "jumps" });
  nav.setAttribute("aria-label", data.title);
  for (const [key, label] of data.links) {
    const link = make("a", { className: "jump", href: `#${key}`, textContent: label });
    link.onclick = (event) => {
      event.preventDefault();
      const card = document.querySelector(`.st-key-${key}`);
      if (!card) return;
      card.style.scrollMarginTop = "4.5rem"; // below the bar of the app
      card.scrollIntoView();
      card.tabIndex = -1;
      card.focus({ preventScroll: true });
    };
    nav.append(link);
  }
  parentElement.querySelector(".root").replaceChildren(nav);
}
