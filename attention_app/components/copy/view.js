// navigator.clipboard is missing where the page is served over plain http to a class; the old way still works there.
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

export default function ({ data, parentElement }) {
  const field = make("input", { type: "text", className: "link", readOnly: true, spellcheck: false });
  field.setAttribute("aria-label", data.words.field);
  const button = make("button", { type: "button", className: "button", textContent: data.words.button });
  const said = make("p", { className: "said" });
  said.setAttribute("role", "status");

  // The address changes a moment after each run, and nothing tells a page about it.
  const update = () => {
    const href = data.origin ? data.origin + location.href.slice(location.origin.length) : location.href;
    if (field.value === href) return;
    field.value = href;
    said.textContent = "";
  };
  const timer = setInterval(update, 300);
  field.onfocus = () => (update(), field.select());
  button.onclick = async () => {
    update();
    const worked = await copied(field);
    said.textContent = worked ? data.words.done : data.words.failed;
    (worked ? button : field).focus();
    if (!worked) field.select();
  };

  update();
  parentElement.querySelector(".root").replaceChildren(make("div", { className: "copy" }, field, button), said);
  return () => clearInterval(timer);
}
