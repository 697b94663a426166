const SEEN = "attention.intro.seen";

// Storage may be switched off; then the introduction comes at every visit, and nothing else happens.
const seen = () => {
  try { return localStorage.getItem(SEEN) !== null; } catch { return false; }
};
const remember = () => {
  try { localStorage.setItem(SEEN, "1"); } catch { /* shown again next time */ }
};

const typing = () => document.activeElement?.matches("input, textarea");

let answered = 0; // the number of times the server was asked for it, as far as it was shown

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".root");
  const asked = data.asked > answered;
  answered = data.asked;
  const open = root.querySelector("dialog[open]");
  if (!asked && !open && (seen() || data.shared || typing())) return;

  let step = Number(open?.dataset.step ?? 0);
  const { buttons, steps } = data;
  const dialog = make("dialog", { ariaLabel: steps[0].title });
  const close = () => { remember(); dialog.close(); };

  const show = () => {
    dialog.dataset.step = step;
    const last = step === steps.length - 1;
    const progress = buttons.progress.replace("{step}", step + 1).replace("{count}", steps.length);
    const next = make("button", { type: "button", className: "main", textContent: last ? buttons.done : buttons.next });
    next.onclick = () => { if (last) close(); else { step += 1; show(); } };
    const back = make("button", { type: "button", textContent: buttons.back, hidden: step === 0 });
    back.onclick = () => { step -= 1; show(); };
    const skip = make("button", { type: "button", className: "quiet", textContent: buttons.skip, hidden: last });
    skip.onclick = close;
    dialog.replaceChildren(
      make("p", { className: "progress", textContent: progress }),
      make("h2", { textContent: steps[step].title }),
      make("p", { className: "text", textContent: steps[step].text }),
      make("div", { className: "buttons" }, skip, back, next),
    );
    next.focus();
  };
  dialog.oncancel = remember; // Escape
  root.replaceChildren(dialog);
  dialog.showModal();
  show();
}
