export default function ({ data, parentElement, setTriggerValue }) {
  document.documentElement.lang = data.language === "zh" ? "zh-CN" : data.language;
  const app = document.querySelector(".stApp");
  let told = data.known; // ask once per switch, even if the answer were to stay away
  const look = () => {
    const seen = getComputedStyle(app).colorScheme.includes("dark") ? "dark" : "light";
    if (seen === told) return;
    told = seen;
    setTriggerValue("switched", seen);
  };
  look();
  const observer = new MutationObserver(() => requestAnimationFrame(look));
  observer.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  return () => observer.disconnect();
}
