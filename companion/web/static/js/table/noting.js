/** Notes on turns of a match, which make a course of it: they are kept on this device until the browser ends. */

import { BASE, byId, el, remember, remembered } from "../page/dom.js";
import { t } from "../page/texts.js";

const root = byId("replay");
const place = `alea-notes-${root.dataset.match}`;
const notes = JSON.parse(remembered(place, "sessionStorage") ?? "[]");

function show() {
  remember(place, JSON.stringify(notes), "sessionStorage");
  byId("notes-kept").replaceChildren(...notes.map(([event, words], n) => el("li", {}, words, " ",
    el("button", { type: "button", class: "quiet", "aria-label": t("replay.note_remove", { event }), onclick: () => {
      notes.splice(n, 1);
      show();
    } }, "×"))));
  const link = /** @type {any} */ (byId("note-lesson"));
  link.hidden = !notes.length;
  const noted = new URLSearchParams(notes.map(([event, words]) => ["note", `${event}:${words}`]));
  link.href = `${BASE}/learn/match/${root.dataset.match}?${noted}`;
}

byId("note-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = /** @type {any} */ (byId("note"));
  notes.push([Number(root.dataset.event), field.value.trim()]);
  field.value = "";
  show();
});
show();
