/** The organiser's pages: the part that shows the hall is fetched again when it changes; forms are sent as JSON. */

import { BASE, byId, el, setText } from "../page/dom.js";
import { follow } from "../page/live.js";
import { attempt, loadSetup, sendJson } from "../page/server.js";

const GAP = 700; // ms between two fetches: twelve tables that play change the hall several times a second
const SAID = 5000; // ms for which a change can be read out

const part = byId("hall-part");
let shown = Number(part?.dataset.version);
let wanted = shown;
let fetching = false;
let saying;

/** Say aloud what has changed; a part marks the one line that is worth it. */
function say() {
  const line = part.querySelector("[data-say]");
  if (!line) return;
  setText(byId("hall-said"), line.textContent);
  clearTimeout(saying);
  saying = setTimeout(() => setText(byId("hall-said"), ""), SAID); // else it would stand twice in the text of the page
}

/** Whether somebody is about to choose or type something in the part, which a new one would take away. */
const busy = () =>
  part.contains(document.activeElement) && document.activeElement?.matches("select, input, textarea");

/** Whether somebody has chosen or typed something in a field that was not sent yet. */
function changed(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.options === undefined) return field.value !== field.defaultValue;
  return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
}

/** The fields of the part by which a new one finds them again: their place, and the round that they are of. */
const fieldsById = () => new Map([...part.querySelectorAll("select[id], input[id], textarea[id]")]
  .map((field) => [`${field.id} ${field.form?.elements.round?.value ?? ""}`, field]));

/** Choose again in the new part what was chosen in the one before. */
function chooseAgain(before) {
  const now = fieldsById();
  for (const [key, field] of before) {
    const same = now.get(key);
    if (!same || !changed(field)) continue;
    if (field.options === undefined) [same.value, same.checked] = [field.value, field.checked];
    else if ([...same.options].some((option) => option.value === field.value)) same.value = field.value;
  }
}

async function replace() {
  const response = await fetch(`${BASE}/part/${part.dataset.part}${location.search}`, { cache: "no-store" });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const focused = part.contains(document.activeElement) ? document.activeElement?.id : "";
  const open = [...part.querySelectorAll("details[open][id]")].map(({ id }) => id);
  const before = fieldsById();
  part.replaceChildren(...page.body.childNodes);
  chooseAgain(before);
  for (const id of open) byId(id)?.setAttribute("open", "");
  if (focused) byId(focused)?.focus();
  say();
}

async function refresh() {
  if (!part || fetching || wanted === shown || busy()) return;
  fetching = true;
  const version = wanted;
  try {
    await replace();
    shown = version;
    document.body.dataset.shown = String(version);
  } catch {
    // the stream says that the server is away
  }
  setTimeout(() => {
    fetching = false;
    refresh();
  }, GAP);
}

/** A form's fields by their names: those named like a list, or in an object, together; numbers and ticks as such. */
function fields(form, submitter) {
  const read = {};
  for (const field of form.elements) {
    if (!field.name || field === submitter || field.type === "submit") continue;
    if (field.dataset.in !== undefined) (read[field.dataset.in] ??= {})[field.name] = field.value;
    else if (field.dataset.list !== undefined) (read[field.name] ??= []).push(...(field.checked ? [field.value] : []));
    else if (field.type === "radio") read[field.name] = field.checked ? field.value : read[field.name];
    else if (field.dataset.number !== undefined || field.type === "number") read[field.name] = Number(field.value);
    else if (field.dataset.truth !== undefined) read[field.name] = field.value === "true";
    else read[field.name] = field.value;
  }
  return read;
}

async function sent(form, submitter) {
  const wrong = form.querySelector(".wrong");
  await attempt(async () => {
    const { go, told } = await sendJson(form.dataset.post, fields(form, submitter));
    if (go) location.assign(go);
    else if (told) form.querySelector("[data-told]").replaceChildren(...told.map((text) => el("li", {}, text)));
    else await replace();
  }, wrong);
}

document.addEventListener("submit", (event) => {
  if (event.target.dataset.post === undefined) return;
  event.preventDefault();
  sent(event.target, event.submitter);
});
document.addEventListener("focusout", () => setTimeout(refresh));
document.addEventListener("change", async ({ target }) => {
  if (target.dataset.into === undefined || !target.files.length) return;
  byId(target.dataset.into).value = await target.files[0].text(); // a list of players from a file
});
document.addEventListener("click", ({ target }) => target.closest("[data-print]") && window.print());

await loadSetup();
follow(({ version }) => {
  wanted = version;
  document.body.dataset.ready = version;
  refresh();
}, (link) => (byId("hall-lost").hidden = link !== "lost"));
