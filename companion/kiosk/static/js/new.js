/** The form for a new match. */

import { byId, el } from "./dom.js";
import { command, loadSetup, notice } from "./server.js";
import { t } from "./texts.js";

const NAMES = 6;
// An option that means something only beside a value of another one is shown only then.
const ONLY_WITH = { target: ["ending", "first-to"], throws: ["ending", "throws"], minutes: ["ending", "time"] };

const form = byId("new-form");
const kept = []; // names typed in, also of players that were taken away again

function chosenGame() {
  return form.querySelector("input[name=game]:checked");
}

function drawCount() {
  const counts = chosenGame().dataset.counts.split(" ").map(Number);
  const before = Number(form.querySelector("input[name=count]:checked")?.value ?? 2);
  const count = counts.filter((n) => n <= before).at(-1) ?? counts[0];
  byId("player-count").replaceChildren(...counts.map((n) =>
    el("label", {}, el("input", { type: "radio", name: "count", value: n, checked: n === count }), el("span", {}, String(n)))));
  drawNames(count);
}

function drawNames(count) {
  byId("player-names").replaceChildren(...Array.from({ length: count }, (_, n) => {
    const field = el("input", { name: "player", maxlength: 40, value: kept[n] ?? t(`new.default_names.${(n % NAMES) + 1}`), "data-owner": n + 1 });
    field.addEventListener("input", () => (kept[n] = field.value));
    return el("label", { class: "field name-field" }, el("span", {}, t("new.player", { number: n + 1 })), field);
  }));
}

/** The camera cannot be chosen for dice that it does not read. */
function drawCamera() {
  if (!form.dataset.camera) return;
  const camera = form.querySelector("input[name=dice_by][value=camera]");
  const reads = chosenGame().dataset.camera === "yes";
  byId("not-read").hidden = reads;
  camera.disabled = !reads;
  if (!reads && camera.checked) form.querySelector("input[name=dice_by][value=tapped]").checked = true;
}

/** Men are followed on a board that a camera sees. */
function drawMen() {
  const field = byId("men-by");
  if (field) field.hidden = chosenGame().dataset.board !== "yes";
}

function drawOptions() {
  for (const fieldset of form.querySelectorAll("fieldset.options")) {
    const mine = fieldset.dataset.game === chosenGame().value;
    fieldset.hidden = !mine;
    fieldset.disabled = !mine;
    for (const [name, [other, value]] of Object.entries(ONLY_WITH)) {
      const field = fieldset.querySelector(`[data-option="${name}"]`);
      const deciding = fieldset.querySelector(`select[data-option="${other}"], [data-option="${other}"]:checked`);
      if (field && deciding) field.closest(".option").hidden = valueOf(deciding) !== value;
    }
  }
}

function valueOf(field) {
  return field.dataset.kind === "number" ? Number(field.value) : JSON.parse(field.value);
}

/** What differs from the preset, of the options that are shown. */
function options() {
  const fields = form.querySelectorAll("fieldset.options:not([hidden]) .option:not([hidden]) :is([data-kind]:not([type=radio]), [data-kind]:checked)");
  return Object.fromEntries([...fields].map((field) => [field.dataset.option, valueOf(field)]));
}

form.addEventListener("change", (event) => {
  if (event.target.name === "game") {
    drawCount();
    drawCamera();
    drawMen();
  }
  if (event.target.name === "count") drawNames(Number(event.target.value));
  drawOptions();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const players = [...form.querySelectorAll("input[name=player]")].map((field, n) => field.value.trim() || t("new.player", { number: n + 1 }));
  byId("new-wrong").textContent = "";
  const menBy = byId("men-by")?.hidden === false ? { men_by: form.querySelector("input[name=men_by]:checked").value } : {};
  try {
    await command("new_match", { ...menBy, name: byId("new-name").value.trim(), game: chosenGame().value, players, options: options(), dice_by: form.querySelector("input[name=dice_by]:checked").value });
    location.assign("/");
  } catch (error) {
    byId("new-wrong").textContent = error.message;
  }
});

try {
  await loadSetup();
  drawCount();
  drawCamera();
  drawMen();
  drawOptions();
  document.body.dataset.ready = "yes";
} catch (error) {
  notice(error.message);
}
