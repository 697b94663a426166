// The words in one of two modes. To choose: a radio group whose arrow keys move and choose, as for native radio
// buttons. To change the cut: a toolbar of seams, one between any two characters. The mode and the edit that is on
// its way outlive a redraw.
const kept = { editing: false, presenting: false, edit: 0, cut: null, done: "" };
const STEP = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const ICONS = {
  cut: "M4 5.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M4 18.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M8.5 7.2L20 17.5M8.5 16.8L20 6.5",
  undo: "M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3",
  redo: "M15 6l5 5-5 5M20 11H10a5 5 0 0 0 0 10h3",
};

const icon = (name) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
};
const named = (element, label) => {
  element.setAttribute("aria-label", label);
  return element;
};

// Arrow keys, Home and End: the index to go to in a ring of `count`, or null for another key.
const moved = (key, current, count) => {
  if (key in STEP) return (current + STEP[key] + count) % count;
  return key === "Home" ? 0 : key === "End" ? count - 1 : null;
};

// Some input methods (Safari's) end a composition before their own Enter arrives; the code 229 still says whose it is.
const BOX = ".st-key-text input";
const guard = (event) => {
  const typing = event.target instanceof Element && event.target.closest(BOX);
  if (typing && event.key === "Enter" && event.keyCode === 229) event.stopImmediatePropagation();
};

export default function ({ data, parentElement, setTriggerValue }) {
  const { chips, texts, edits } = data;
  const root = parentElement.querySelector(".root");
  const characters = chips.flatMap(({ parts }) => parts);
  const starts = chips.map((_, i) => chips.slice(0, i).reduce((sum, { parts }) => sum + parts.length, 0));
  const boundaries = starts.slice(1);
  const spaces = starts.filter((_, i) => chips[i].space);

  // The title stays the same element, so that what changes in it is read out.
  const title = root.querySelector(".title") ?? make("div", { className: "title", id: "words-title" });
  title.setAttribute("aria-live", "polite");
  const say = (text) => text !== title.textContent && (title.textContent = text);
  let elements = []; // the chips on the screen

  function draw() {
    const editing = kept.editing && edits.cut;
    const focused = parentElement.activeElement?.dataset.id;
    const body = editing ? seamsAndWords() : choices();
    const note = make("p", { className: "note", textContent: texts.by_hand });
    const head = root.querySelector(".head") ?? make("div", { className: "head" });
    if (title.parentElement !== head) head.append(title);
    head.querySelector(".tools")?.remove();
    head.append(tools(editing));
    root.querySelector(".warning")?.remove();
    if (head.parentElement !== root) root.replaceChildren(head);
    while (head.nextSibling) head.nextSibling.remove();
    root.append(body);
    if (edits.restore || editing) root.append(note);
    root.classList.toggle("one-line", data.presenting && !editing);
    root.onkeydown = history;
    const shown = body.querySelector('[aria-checked="true"]');
    if (shown) { // a phone has room for some rows of chips only, and a class sees one
      body.scrollTop = shown.offsetTop - body.offsetTop - (body.clientHeight - shown.offsetHeight) / 2;
      body.scrollLeft = shown.offsetLeft - body.offsetLeft - (body.clientWidth - shown.offsetWidth) / 2;
    }
    if (focused) focus(focused);
  }

  // Put the focus where it was: at the same seam, on the chosen word, on the same button while it can be pressed.
  function focus(id) {
    const wanted = root.querySelector(`[data-id="${id}"]:not(:disabled)`) ?? root.querySelector('[data-id="cut"]');
    if (wanted.closest(".chips")) rove(wanted);
    wanted.focus({ preventScroll: true });
  }

  function rove(to) {
    for (const one of root.querySelectorAll(".chips [tabindex]")) one.tabIndex = one === to ? 0 : -1;
  }

  function tools(editing) {
    const tool = (id, properties, act) => {
      const button = make("button", { type: "button", className: "tool", title: texts[id], ...properties, onclick: act });
      button.dataset.id = id;
      return named(button, texts[id]);
    };
    const switch_ = tool("cut", { disabled: !edits.cut }, () => toggleMode());
    switch_.setAttribute("aria-pressed", String(editing));
    switch_.append(icon("cut"), make("span", { textContent: texts.cut }));
    const restore = tool("restore", { disabled: !edits.restore, textContent: texts.restore }, () => step("restore"));
    const undo = tool("undo", { disabled: !edits.undo }, () => step("undo"));
    const redo = tool("redo", { disabled: !edits.redo }, () => step("redo"));
    undo.append(icon("undo"));
    redo.append(icon("redo"));
    return make("div", { className: "tools" }, ...(editing || edits.restore ? [restore] : []), switch_, undo, redo);
  }

  function toggleMode() {
    kept.editing = !kept.editing;
    say(kept.editing ? texts.hint : texts.title);
    draw();
  }

  const step = (which) => edits[which] && setTriggerValue("step", which);

  function history(event) {
    const key = event.key.toLowerCase();
    if (event.key === "Escape" && kept.editing) {
      toggleMode();
      focus("cut");
    } else if ((event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y")) {
      step(key === "y" || event.shiftKey ? "redo" : "undo");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // A word on the screen tells the other views when it is pointed at or has the focus.
  function linked(element, index) {
    element.onpointerenter = () => announce("words", chips[index].row, null);
    element.onpointerleave = () => announce("words", null, null);
    element.onfocus = () => announce("words", chips[index].row, null);
    element.onblur = () => announce("words", null, null);
    return element;
  }

  function choices() {
    const group = make("div", { className: "chips" });
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-labelledby", title.id);
    elements = chips.map(({ label, name }, index) => {
      const chip = make("button", { type: "button", className: "chip", textContent: label });
      chip.setAttribute("role", "radio");
      chip.onclick = () => choose(index, chip.getAttribute("aria-checked") === "true");
      if (name) named(chip, name);
      return linked(chip, index);
    });
    show(data.chosen);
    group.onkeydown = (event) => {
      const current = elements.findIndex((chip) => chip.tabIndex === 0);
      const next = moved(event.key, current, elements.length);
      if (next === null) return;
      event.preventDefault();
      choose(next, false);
    };
    group.append(...elements);
    return group;
  }

  function show(chosen) {
    elements.forEach((chip, i) => {
      chip.setAttribute("aria-checked", String(i === chosen));
      chip.tabIndex = i === (chosen ?? 0) ? 0 : -1;
      chip.dataset.id = i === (chosen ?? 0) ? "chip" : "";
    });
  }

  function choose(index, again) {
    show(again ? null : index);
    rove(elements[index]);
    elements[index].focus();
    setTriggerValue("pick", again ? -1 : index);
  }

  function seamsAndWords() {
    const bar = named(make("div", { className: "chips editing" }), texts.cut);
    bar.setAttribute("role", "toolbar");
    const seams = [];
    const seam = (position) => {
      const cut = boundaries.includes(position);
      const [left, right] = around(boundaries, position);
      const label = spaces.includes(position) ? texts.space : filled(cut ? texts.join : texts.split, { left, right });
      const button = make("button", { type: "button", className: cut ? "seam join" : "seam", title: label });
      button.dataset.id = `seam-${position}`;
      button.tabIndex = position === 1 ? 0 : -1;
      button.onclick = () => toggle(position);
      if (spaces.includes(position)) {
        button.classList.add("space");
        button.setAttribute("aria-disabled", "true");
      }
      seams.push(button);
      return named(button, label);
    };
    elements = chips.map(({ parts }, index) => {
      if (index) bar.append(seam(starts[index]));
      const chip = make("span", { className: index === data.chosen ? "chip chosen" : "chip" });
      parts.forEach((part, i) => {
        if (i) chip.append(seam(starts[index] + i));
        const again = index === data.chosen;
        chip.append(make("span", { className: "part", textContent: part, onclick: () => pick(index, again) }));
      });
      bar.append(chip);
      return linked(chip, index);
    });
    bar.onkeydown = (event) => {
      const current = seams.indexOf(parentElement.activeElement);
      const next = current < 0 ? null : moved(event.key, current, seams.length);
      if (next === null) return;
      event.preventDefault();
      rove(seams[next]);
      seams[next].focus();
    };
    return bar;
  }

  const pick = (index, again) => setTriggerValue("pick", again ? -1 : index);

  // The words left and right of a position when `cuts` and this position are cut.
  function around(cuts, position) {
    const from = Math.max(0, ...cuts.filter((cut) => cut < position));
    const to = Math.min(characters.length, ...cuts.filter((cut) => cut > position));
    return [characters.slice(from, position).join(""), characters.slice(position, to).join("")];
  }

  // Edits that follow each other faster than the answers build on one another: each sends the whole cut.
  function toggle(position) {
    if (spaces.includes(position)) return say(texts.space);
    const cuts = new Set(kept.cut ?? boundaries);
    const joins = cuts.delete(position);
    if (!joins) cuts.add(position);
    kept.cut = [...cuts].sort((a, b) => a - b);
    kept.edit = Math.max(Date.now(), kept.edit + 1);
    const [left, right] = around(kept.cut, position);
    kept.done = filled(joins ? texts.joined : texts.did_split, { left, right });
    setTriggerValue("cut", { at: kept.cut.join("."), edit: kept.edit });
  }

  // Escape closes the editor also where nothing has the focus, as after a click on a word; only the next one goes on.
  const leave = (event) => event.key === "Escape" && kept.editing && event.target === document.body && history(event);

  // Text that the box would drop is refused before it comes, and that is said until something else is typed.
  const warn = (event) => {
    const box = event.target instanceof Element && event.target.closest(BOX);
    if (!box) return;
    root.querySelector(".warning")?.remove();
    const more = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    if (box.value.length - (box.selectionEnd - box.selectionStart) + more.length <= data.mostTyped) return;
    event.preventDefault();
    const warning = make("p", { className: "warning" }, filled(texts.too_long, { most: data.mostTyped }));
    warning.setAttribute("role", "alert");
    root.prepend(warning);
  };

  if (kept.presenting !== data.presenting) kept.editing = false;
  kept.presenting = data.presenting;
  const answered = kept.cut !== null && edits.answered >= kept.edit;
  const granted = answered && kept.cut.join() === boundaries.join();
  if (answered) kept.cut = null;
  say(granted ? kept.done : kept.editing && edits.cut ? texts.hint : texts.title);
  draw();

  const word = (row) => (row === null || row < 0 ? -1 : chips.findLastIndex((chip) => chip.row <= row));
  const unfollow = follow("words", (row, column) =>
    elements.forEach((chip, index) => {
      chip.classList.toggle("query", index === word(row));
      chip.classList.toggle("key", index === word(column));
    }),
  );
  const listening = { keydown: [guard, leave], beforeinput: [warn] };
  const each = (act) => Object.entries(listening).forEach(([name, all]) => all.forEach((one) => act(name, one)));
  each((name, one) => document.addEventListener(name, one, true));
  return () => {
    unfollow();
    each((name, one) => document.removeEventListener(name, one, true));
  };
}
