// A radio group: one tab stop, arrow keys move and choose, as for native radio buttons.
const STEP = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const hadFocus = root.contains(parentElement.activeElement ?? null);

  const title = document.createElement("div");
  title.className = "title";
  title.id = "chips-title";
  title.textContent = data.title;

  const group = document.createElement("div");
  group.className = "chips";
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-labelledby", title.id);

  const chips = data.words.map((word, index) => {
    const chip = document.createElement("button");
    const chosen = index === data.chosen;
    chip.type = "button";
    chip.className = "chip";
    chip.setAttribute("role", "radio");
    chip.setAttribute("aria-checked", String(chosen));
    chip.tabIndex = index === (data.chosen ?? 0) ? 0 : -1;
    chip.textContent = word;
    chip.onclick = () => choose(index);
    return chip;
  });

  function choose(index) {
    chips.forEach((chip, i) => {
      chip.setAttribute("aria-checked", String(i === index));
      chip.tabIndex = i === index ? 0 : -1;
    });
    chips[index].focus();
    setTriggerValue("pick", index);
  }

  group.onkeydown = (event) => {
    const last = chips.length - 1;
    const current = chips.findIndex((chip) => chip.tabIndex === 0);
    let next = null;
    if (event.key in STEP) next = (current + STEP[event.key] + chips.length) % chips.length;
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = last;
    if (next === null) return;
    event.preventDefault();
    choose(next);
  };

  group.append(...chips);
  root.replaceChildren(title, group);
  if (hadFocus) chips[data.chosen ?? 0]?.focus({ preventScroll: true });
}
