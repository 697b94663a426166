const STATE = "data-test-connection-state";

export default function ({ setTriggerValue }) {
  const app = document.querySelector(".stApp");
  let lost = false;
  const observer = new MutationObserver(() => {
    const connected = app.getAttribute(STATE) === "CONNECTED";
    if (connected && lost) setTriggerValue("back", Date.now());
    lost = !connected;
  });
  observer.observe(app, { attributes: true, attributeFilter: [STATE] });
  return () => observer.disconnect();
}
