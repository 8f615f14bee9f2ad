/** The form with which a pupil's telephone joins; a scanned code brings its digits after the address's #. */

import { BASE, byId } from "../page/dom.js";
import { opened } from "../page/opening.js";
import { attempt, sendJson } from "../page/server.js";

const form = byId("join-form");

function takeCode() {
  const brought = location.hash.slice(1);
  if (!form || !/^\d{1,12}$/.test(brought)) return;
  history.replaceState(null, "", location.pathname + location.search); // the code does not stay in the address
  form.elements.code.value = brought;
  form.elements.name.focus();
}

takeCode();
window.addEventListener("hashchange", takeCode); // scanned while the form is open

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await attempt(async () => {
    const { code, name } = form.elements;
    await sendJson(`${BASE}/api/classroom/join`, { code: code.value, name: name.value });
    location.assign(`${BASE}/`);
  }, byId("join-wrong"));
});

await opened();
