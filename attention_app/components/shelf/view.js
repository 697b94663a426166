// The fields belong to who types: they are made anew only when the server asks for it with another version. Everything
// else a run brings, what is wrong in which row, is put beside them.
export default function ({ data, parentElement, setTriggerValue }) {
  const { texts, problems, limits } = data;
  const [least, most] = limits;
  const root = parentElement.querySelector(".root");
  const list = root.querySelector(".rows") ?? make("ol", { className: "rows" });
  const add = root.querySelector(".add") ?? make("button", { type: "button", className: "add" });
  const general = root.querySelector(".general") ?? make("p", { className: "problem general" });
  general.setAttribute("role", "alert");

  const lines = () => [...list.querySelectorAll("li.line:not(.titles)")];
  const typed = (line) => [...line.querySelectorAll("input")].map((input) => input.value);
  const send = () => {
    const rows = lines().map(typed);
    const now = JSON.stringify(rows);
    if (list.dataset.sent === now) return;
    list.dataset.sent = now;
    setTriggerValue("rows", rows);
  };

  function line([key, value]) {
    const field = (name, text) => {
      const input = make("input", { className: name, value: text, maxLength: data.most });
      Object.assign(input, { autocomplete: "off", spellcheck: false });
      input.addEventListener("change", () => list.send());
      return input;
    };
    const problem = make("p", { className: "problem" });
    problem.setAttribute("role", "alert");
    const drop = make("button", { type: "button", className: "delete", textContent: "×" });
    const nth = make("span", { className: "nth" });
    const made = make("li", { className: "line" }, nth, field("key", key), field("value", value), drop, problem);
    drop.onclick = () => {
      const next = made.nextElementSibling ?? made.previousElementSibling;
      made.remove();
      list.name();
      next?.querySelector(".key")?.focus();
      list.send();
    };
    return made;
  }

  // Numbers and names, and what cannot be done now.
  function name() {
    lines().forEach((made, i) => {
      made.querySelector(".nth").textContent = i + 1;
      made.querySelector(".key").setAttribute("aria-label", filled(texts.field, { row: i + 1, name: texts.key }));
      made.querySelector(".value").setAttribute("aria-label", filled(texts.field, { row: i + 1, name: texts.value }));
      const drop = made.querySelector(".delete");
      drop.setAttribute("aria-label", filled(texts.delete, { row: i + 1 }));
      drop.disabled = lines().length <= least;
    });
    add.disabled = lines().length >= most;
  }

  function tell() {
    const say = (element, text = "") => element.textContent !== text && (element.textContent = text); // once
    lines().forEach((made, i) => {
      say(made.querySelector(".problem"), problems[i]);
      made.classList.toggle("wrong", i in problems);
    });
    say(general, problems[-1]);
  }

  list.send = send;
  list.name = name;
  if (list.dataset.version !== String(data.version)) {
    const title = (className, text) => make("span", { className }, text);
    const names = [title("", ""), title("of-key", texts.key), title("of-value", texts.value)];
    const titles = make("li", { className: "line titles" }, ...names);
    titles.setAttribute("aria-hidden", "true");
    list.replaceChildren(titles, ...data.rows.map(line));
    list.dataset.version = data.version;
    list.dataset.sent = JSON.stringify(lines().map(typed));
  }
  add.textContent = texts.add;
  add.onclick = () => {
    const made = line(["", ""]);
    list.append(made);
    name();
    made.querySelector(".key").focus();
  };
  name();
  tell();
  if (!list.isConnected) root.replaceChildren(list, general, add);
  return () => {};
}
