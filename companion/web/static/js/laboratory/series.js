/** The list of all series: when each began, and a button to continue it. */

import { BASE, byId } from "../page/dom.js";
import { loadLaboratory, order } from "./server.js";
import { opened } from "../page/opening.js";

for (const button of document.querySelectorAll("[data-resume]")) {
  button.addEventListener("click", async () => {
    byId("series-wrong").textContent = "";
    try {
      await order("resume", { series: Number(button.dataset.resume) });
      location.assign(`${BASE}/lab`);
    } catch (error) {
      byId("series-wrong").textContent = error.message;
    }
  });
}

const chosen = [...document.querySelectorAll("input[name=series]")];
const judge = () => chosen.length && (byId("judge-together").disabled = !chosen.some(({ checked }) => checked));
for (const one of chosen) one.addEventListener("change", judge);

judge();
await opened(undefined, loadLaboratory);
