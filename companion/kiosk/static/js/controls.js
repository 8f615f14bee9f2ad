/** What can be done with the match: the program's throws, pause, end, reset, a copy to take away. */

import { drawDie } from "./dice.js";
import { byId, el, rebuild } from "./dom.js";
import { download, notice, tryCommand } from "./server.js";
import { soundButtons, soundKey } from "./sound.js";
import { tapSwitch, tapping } from "./tap.js";
import { t } from "./texts.js";
import { undoButton } from "./undo.js";

const PACES = { slow: 0.5, middle: 3, fast: 60 }; // throws a second
let pace = "middle";
let moreOpen = false;

export function showControls(state, page) {
  const key = [state.match?.id, state.match?.paused, state.match?.dice_by, state.autoplay, state.outcome !== null,
    state.ask !== null, state.awaits?.kind, state.awaits?.by_program, tapping(state), state.state === "BLIND", state.autoplay ? null : state.undo, soundKey()]; // a button that is made anew at every throw cannot be pressed
  rebuild(byId("controls"), key, () => (state.match ? buttons(state, page) : welcome(page)));
  rebuild(byId("menu"), key, () => (state.match ? more(state, page) : null));
}

/** What stands in the middle while nothing is played: the game in two sentences, its dice, and the way in. */
function welcome(page) {
  const set = "wibold";
  const dice = page.setup.dice_sets[set].dice;
  return el("div", { class: "welcome" },
    el("p", { class: "welcome-title", lang: "la" }, "Ludus Regularis"),
    el("div", { class: "dice-row" }, dice.map((die, n) => el("span", { class: "die-seen" }, drawDie(set, die, die.faces[Math.min(n, die.faces.length - 2)].text, null)))),
    el("p", { class: "welcome-text" }, t("welcome.text")),
    el("div", { class: "actions" },
      el("a", { class: "button main-action large", href: "/new" }, t("welcome.begin")),
      el("a", { class: "button large", href: "/matches" }, t("welcome.resume"))));
}

function buttons(state, page) {
  if (state.outcome) return el("div", { class: "actions" }, el("a", { class: "button main-action", href: "/new" }, t("outcome.again")), undoButton(state));
  if (state.match.paused) return el("div", { class: "actions" }, act("unpause", "main-action"));
  return el("div", { class: "actions" }, state.match.dice_by === "program" ? program(state) : null, tapSwitch(state, page.redraw), undoButton(state));
}

const act = (name, kind = "", data = {}) =>
  el("button", { type: "button", class: kind, "data-focus": name, onclick: () => tryCommand(name, data) }, t(`controls.${name}`));

function program(state) {
  if (state.awaits?.by_program) return null; // it throws by itself
  if (!["throw", "recast"].includes(state.awaits?.kind)) return null; // choosing is for people
  if (state.autoplay) {
    return el("button", { type: "button", class: "main-action", "data-focus": "auto", onclick: () => tryCommand("autoplay", { on: false }) }, t("controls.stop"));
  }
  return [
    act("roll", "main-action"),
    state.match.of === 0 ? null : el("span", { class: "joined" },
      el("button", { type: "button", "data-focus": "auto", onclick: () => tryCommand("autoplay", { on: true, pace: PACES[pace] }) }, t("controls.auto")),
      el("select", { "aria-label": t("controls.pace"), "data-focus": "pace", onchange: (event) => (pace = event.target.value) },
        Object.keys(PACES).map((name) => {
          const option = el("option", { value: name }, t(`controls.pace_${name}`));
          option.selected = name === pace;
          return option;
        }))),
  ];
}

function more(state, page) {
  const running = !state.outcome;
  const timed = running && state.match.options?.ending === "time";
  return el("details", { class: "more", ontoggle: (event) => (moreOpen = event.target.open), ...(moreOpen ? { open: true } : {}) },
    el("summary", { class: "button", "data-focus": "more" }, t("controls.more")),
    el("div", { class: "more-list", onclick: closeMore },
      running && !state.match.paused ? act("pause") : null,
      timed ? el("button", { type: "button", "data-focus": "time_up", onclick: () => timeUp() }, t("controls.time_up")) : null,
      running ? el("button", { type: "button", "data-focus": "finish", onclick: () => finish() }, t("controls.finish")) : null,
      state.board_camera?.length ? el("a", { class: "button", href: "/calibrate", "data-focus": "calibrate" }, t("controls.calibrate")) : null,
      el("a", { class: "button", href: `/matches/${state.match.id}`, "data-focus": "replay" }, t("replay.open")),
      soundButtons(page.redraw),
      el("button", { type: "button", "data-focus": "reset", onclick: () => reset() }, t("controls.reset")),
      el("button", { type: "button", "data-focus": "export", onclick: () => takeAway(page.state.match.id) }, t("controls.export"))));
}

function closeMore() {
  moreOpen = false;
  document.querySelector(".more[open]")?.removeAttribute("open");
}

document.addEventListener("click", (event) => event.target.closest(".more") || closeMore());
document.addEventListener("keydown", (event) => event.key === "Escape" && closeMore());

async function takeAway(match) {
  try {
    await download(`/api/matches/${match}.jsonl`, `match-${match}.jsonl`);
  } catch (error) {
    notice(error.message);
  }
}

function finish() {
  const reason = el("input", { value: t("controls.finish_default"), required: true, maxlength: 300 });
  confirmed(t("controls.finish"), [
    el("p", {}, t("controls.finish_question")),
    el("label", { class: "field" }, el("span", {}, t("controls.finish_reason")), reason),
  ], () => tryCommand("finish", { reason: reason.value }));
}

const timeUp = () => confirmed(t("controls.time_up"), [el("p", {}, t("controls.time_up_question"))], () => tryCommand("time_up"));

const reset = () => confirmed(t("controls.reset"), [el("p", {}, t("controls.reset_question"))], () => tryCommand("reset"));

/** Ask before something that ends or restarts a match. */
function confirmed(heading, content, then) {
  const dialog = byId("confirm");
  dialog.replaceChildren(el("form", {
    method: "dialog",
    onsubmit: (event) => {
      event.preventDefault();
      dialog.close();
      then();
    },
  },
    el("h2", { id: "confirm-heading" }, heading), content,
    el("p", { class: "actions" },
      el("button", { type: "submit", class: "main-action" }, heading),
      el("button", { type: "button", onclick: () => dialog.close() }, t("page.cancel")))));
  dialog.showModal();
}
