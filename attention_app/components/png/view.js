// Tickets this page has handed out and not yet been answered: a picture that comes again with a later run, or into a
// page loaded anew, is not saved a second time.
const waiting = (window.attentionPngTickets ??= new Set());
const MOST_PIXELS = 16e6; // what every browser's canvas can hold
const MOST_SIDE = 8192;

const load = (url) =>
  new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error("not an image"));
    image.src = url;
  });

// Three times as fine as the screen, or what the canvas can hold.
async function drawn(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = await load(url);
    const { width, height } = image;
    const scale = Math.min(3, MOST_SIDE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
    const canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error("no picture");
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const hadFocus = root.contains(parentElement.activeElement ?? null);
  const button = make("button", { type: "button", className: "png", textContent: data.words.button });
  button.setAttribute("aria-label", data.words.name);
  button.title = data.words.name;
  const failed = make("p", { className: "failed" });
  failed.setAttribute("role", "status");

  const busy = (is) => {
    button.setAttribute("aria-busy", String(is));
    button.textContent = is ? data.words.busy : data.words.button;
  };
  button.onclick = () => {
    if (button.getAttribute("aria-busy") === "true") return;
    const ticket = Math.floor(Math.random() * 2 ** 50);
    waiting.add(ticket);
    failed.textContent = "";
    busy(true);
    setTriggerValue("ask", ticket);
  };

  root.replaceChildren(button, failed);
  if (hadFocus) button.focus({ preventScroll: true });
  if (data.picture && waiting.delete(data.picture.ticket)) {
    busy(true);
    drawn(data.picture.svg)
      .then((blob) => save(blob, data.file))
      .catch(() => (failed.textContent = data.words.failed))
      .finally(() => busy(false));
  }
}
