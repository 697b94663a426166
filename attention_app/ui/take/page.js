// Draws the views of a page that was taken along, each in its place and in a shadow root, as on the screen.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const views = VIEWS;
for (const place of document.querySelectorAll("[data-view]")) {
  const [name, given] = data.views[Number(place.dataset.view)];
  if (name === "given")
    for (const { values } of [...given.content.sources, given.content.result]) values.data = data.numbers[values.data];
  place.hidden = name === "given";
  const parentElement = place.attachShadow({ mode: "open" });
  const root = document.createElement("div");
  root.className = "root";
  parentElement.append(root);
  views[name]({ data: given, parentElement, setTriggerValue: () => {} }); // nobody is there to be told
}
