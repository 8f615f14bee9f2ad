/** The owner's page about the class: who is here, newly asked every few seconds. */

import { BASE, byId, el, rebuild } from "../page/dom.js";
import { attempt, fetched, loadSetup, sendJson } from "../page/server.js";
import { t } from "../page/texts.js";

const EVERY = 3000; // ms

const remove = (pupil) => attempt(async () => {
  await sendJson(`${BASE}/api/owner/classroom/remove`, { pupil });
  await look();
}, byId("wrong"));

async function look() {
  const { open, pupils } = await fetched(`${BASE}/api/owner/classroom`);
  if (!open) {
    location.reload(); // it ended after some hours, or on another page
    return;
  }
  byId("pupils-none").hidden = pupils.length > 0;
  byId("pupils-all").hidden = pupils.length === 0;
  rebuild(byId("pupils"), pupils, () => pupils.map(({ number, name }) => el("li", {}, el("span", {}, name),
    el("button", { type: "button", class: "quiet", "data-focus": `pupil-${number}`,
      "aria-label": t("classroom.remove_label", { name }), onclick: () => remove(number) }, t("classroom.remove")))));
}

async function follow() {
  try {
    if (!document.hidden) await look();
  } catch (error) {
    if (error.status === 401) return; // the page asked for the PIN once
  }
  setTimeout(follow, EVERY);
}

if (byId("pupils")) {
  byId("pupils-all").addEventListener("click", () => remove(null));
  loadSetup().then(follow, follow);
}
