const element = (tag, className, text = "") => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

export default function ({ data, parentElement }) {
  const said = element("p", "said");
  said.setAttribute("aria-live", "polite");
  said.append(...data.said.map(({ text, role }) => element("span", role, text)));

  const list = element("ol", "bars");
  list.tabIndex = 0;
  list.setAttribute("aria-label", data.title);
  list.append(
    ...data.bars.map(({ label, note, weight, number, special }) => {
      const item = element("li", special ? "bar special" : "bar");
      const track = element("span", "track");
      const fill = element("span", "fill");
      fill.style.width = `${100 * weight}%`;
      track.append(fill);
      const name = element("span", "name", label);
      name.title = label;
      item.append(name, element("span", "note", note), track, element("span", "number", number));
      return item;
    }),
  );
  parentElement.querySelector(".root").replaceChildren(said, list, element("p", "total number", data.total));
}
