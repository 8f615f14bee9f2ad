/** The form for a new match. */

import { BASE, byId, el } from "../page/dom.js";
import { command, loadSetup, notice } from "../page/server.js";
import { t } from "../page/texts.js";
import { filterGames } from "./game_filter.js";

// An option that matters only for one value of another option shows only with that value.
const ONLY_WITH = { target: ["ending", "first-to"], throws: ["ending", "throws"], minutes: ["ending", "time"] };

const form = byId("new-form");
const kept = JSON.parse(form.dataset.players); // typed names, also those of removed players; the address may name some
const programs = new Set(); // the seats that the program takes

function chosenGame() {
  return form.querySelector("input[name=game]:checked");
}

function drawCount() {
  const counts = chosenGame().dataset.counts.split(" ").map(Number);
  const before = Number(form.querySelector("input[name=count]:checked")?.value ?? 2);
  const count = counts.filter((n) => n <= before).at(-1) ?? counts[0];
  byId("player-count").replaceChildren(...counts.map((n) =>
    el("label", {}, el("input", { type: "radio", name: "count", value: n, checked: n === count }),
      el("span", {}, String(n)))));
  drawNames(count);
}

const programmed = () => [...programs].filter((n) => n <= form.querySelectorAll("input[name=player]").length);

function drawNames(count) {
  const able = chosenGame().dataset.program === "yes";
  if (!able) programs.clear();
  byId("player-names").replaceChildren(...Array.from({ length: count }, (_, n) => place(n, able)));
  const manner = chosenGame().closest(".card").querySelector(".manner").textContent;
  byId("program-manner").textContent = !able ? t("cards.cannot") : programmed().length ? manner : t("cards.alone");
}

/** One player: a name, and whether the program takes the seat. */
function place(n, able) {
  const number = n + 1;
  const mine = programs.has(number);
  const named = t("new.player", { number });
  const field = el("input", { name: "player", maxlength: 40, value: mine ? machine(number) : kept[n] ?? "",
    placeholder: named, "data-owner": number, readonly: mine ? "" : null });
  field.addEventListener("input", () => (kept[n] = field.value));
  const tick = el("input", { type: "checkbox", name: "program", value: number, checked: mine,
    "aria-label": t("cards.program_plays_for", { player: named }) });
  tick.addEventListener("change", () => {
    programs[tick.checked ? "add" : "delete"](number);
    drawNames(form.querySelectorAll("input[name=player]").length);
    drawCamera();
    drawMen();
    form.querySelector(`input[name=program][value="${number}"]`).focus();
  });
  return el("div", { class: "place" },
    el("label", { class: "field name-field" }, el("span", {}, named), field),
    able ? el("label", { class: "tick" }, tick, el("span", {}, t("cards.program_plays"))) : null);
}

/** What the table will call the program in this seat. */
function machine(number) {
  const count = 1 + [...programs].filter((one) => one < number).length;
  return count > 1 ? t("cards.program_name_more", { count }) : t("cards.program_name");
}

/** The chosen game again, above the list of games. */
function drawChosen() {
  const face = chosenGame().closest(".card").querySelector(".card-face").cloneNode(true);
  byId("chosen-game").replaceChildren(...face.childNodes);
  byId("begin-what").textContent = byId("chosen-game").querySelector("strong").textContent;
}

const ways = () => JSON.parse(chosenGame().dataset.ways);

/** Whether a camera in use reads the dice of the chosen game, and whether one sees dice or board. */
const read = () => ways().camera?.dice_by === "camera" && form.dataset.camera !== "";
const seen = () => read() || chosenGame().dataset.board === "yes";

function drawWays() {
  const main = seen() ? "camera" : "alone" in ways() ? "alone" : "two";
  for (const button of byId("ways").children) {
    button.hidden = !(button.dataset.way in ways());
    button.classList.toggle("main-action", button.dataset.way === main);
  }
}

/** Begin with one tap, under the names and by the rules of the form; without a camera in use its page comes first. */
function beginBy(way) {
  const asked = way === "camera" && !read() ? { ...ways().camera, dice_by: ways().two.dice_by } : ways()[way];
  if (way === "camera" && !seen()) return location.assign(`${BASE}/camera?game=${encodeURIComponent(asked.game)}`);
  return begin({ ...asked, players: asked.players.map((_, n) =>
    (asked.programs?.includes(n + 1) ? "" : (kept[n] ?? "").trim())) });
}

/** A game without dice needs no step for them. */
function drawDice() {
  const dice = chosenGame().dataset.dice === "yes";
  byId("dice-by").hidden = !dice;
  byId("no-dice").hidden = dice;
}

/** Disable the camera for dice that it cannot read. */
function drawCamera() {
  if (form.dataset.camera) {
    const camera = form.querySelector("input[name=dice_by][value=camera]");
    const reads = chosenGame().dataset.camera !== "";
    byId("not-read").hidden = reads;
    camera.disabled = !reads;
    if (!reads && camera.checked) form.querySelector("input[name=dice_by][value=program]").checked = true;
  }
  for (const offer of form.querySelectorAll("[data-teach]")) {
    offer.hidden = !(form.dataset.camera && diceBy() === "camera"
      && chosenGame().dataset.camera === offer.dataset.teach);
  }
  byId("throw-for-program").hidden = !(programmed().length && diceBy() === "camera"
    && chosenGame().dataset.dice === "yes");
}

const diceBy = () => form.querySelector("input[name=dice_by]:checked").value;

/** Follow men on a board that a camera sees, unless the program would have to lift some of them. */
function drawMen() {
  const field = byId("men-by");
  if (!field) return;
  field.hidden = chosenGame().dataset.board !== "yes";
  const camera = field.querySelector("[value=camera]");
  const barred = programmed().length > 0 && chosenGame().dataset.movesMen === "yes";
  camera.disabled = barred;
  byId("no-hands").hidden = !barred;
  if (barred && camera.checked) field.querySelector("[value=tapped]").checked = true;
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

/** The shown options with values other than the default. */
function options() {
  const fields = form.querySelectorAll(
    "fieldset.options:not([hidden]) .option:not([hidden]) :is([data-kind]:not([type=radio]), [data-kind]:checked)");
  return Object.fromEntries([...fields].map((field) => [field.dataset.option, valueOf(field)]));
}

function drawAll() {
  drawChosen();
  drawWays();
  drawCount();
  drawDice();
  drawCamera();
  drawMen();
  drawOptions();
}

form.addEventListener("change", (event) => {
  if (event.target.name === "game") drawAll();
  if (event.target.name === "count") drawNames(Number(event.target.value));
  if (event.target.name === "dice_by") drawCamera();
  drawOptions();
});
// A click on a game chooses it; arrow keys only browse the list.
byId("game-list").addEventListener("click", (event) => {
  if (event.detail === 0 || !event.target.closest(".game-card")) return;
  setTimeout(() => {
    byId("step-game").scrollIntoView({ block: "start" });
  }, 0);
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-way]");
  const game = button?.closest(".with-ways")?.querySelector("input[name=game]");
  if (game && game !== chosenGame()) {
    game.checked = true;
    drawAll();
  }
  if (button) beginBy(button.dataset.way);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const players = [...form.querySelectorAll("input[name=player]")].map((field, n) =>
    (programs.has(n + 1) ? "" : field.value.trim()));
  const menBy = byId("men-by")?.hidden === false
    ? { men_by: form.querySelector("input[name=men_by]:checked").value }
    : {};
  begin({ ...menBy, game: chosenGame().value, players, programs: programmed(),
    dice_by: chosenGame().dataset.dice === "yes" ? diceBy() : "tapped" });
});

let busy = false; // a second tap must not begin a second match

async function begin(asked) {
  if (busy) return;
  busy = true;
  byId("new-wrong").textContent = "";
  try {
    await command("new_match", { ...asked, name: byId("new-name").value.trim(), options: options() });
    location.assign(`${BASE}/`);
  } catch (error) {
    byId("new-wrong").textContent = error.message;
  }
  busy = false;
}

try {
  await loadSetup();
  filterGames();
  drawAll();
  document.body.dataset.ready = "yes";
} catch (error) {
  document.body.dataset.ready ??= "no"; // the form that the server drew shows at least
  notice(error.message);
}
