/** The actions on the match: the program's throws, pause, end, reset, an export. */

import { spun } from "./dice_now.js";
import { BASE, byId, el, rebuild } from "../page/dom.js";
import { mayDecide, mayPlay } from "../page/part.js";
import { open } from "./seldom.js";
import { takeAway, tryCommand } from "../page/server.js";
import { soundButtons, soundKey } from "../page/sound.js";
import { tapSwitch, tapping } from "./tap.js";
import { t } from "../page/texts.js";

const PACES = { slow: 0.5, middle: 3, fast: 60 }; // throws a second
const VISITORS = "kiosk" in document.body.dataset; // in a museum's hall: hide the operator's actions
let pace = "middle";
let moreOpen = false;

/** @param {State} state @param {TablePage} page */
export function showControls(state, page) {
  const key = [state.match?.id, state.match?.paused, waitsForTable(state),
    state.match?.dice_by, state.match?.players, state.autoplay,
    state.outcome !== null, state.ask !== null, state.awaits?.kind, state.awaits?.by_program, tapping(state),
    VISITORS ? state.state : state.state === "BLIND", soundKey(), mayPlay(), mayDecide()];
  // rebuilt at every throw of autoplay, a button could not be pressed
  const play = state.autoplay ? null : [state.undo, state.throw?.event];
  const actions = () => (!state.match ? null : VISITORS ? visitors(state, page) : buttons(state, page));
  rebuild(byId("controls"), [...key, play], actions);
  rebuild(byId("menu"), [...key, play], () => (state.match ? more(state, page) : null));
}

/** @param {InMatch} state @param {TablePage} page */
function buttons(state, page) {
  if (state.outcome) return el("div", { class: "actions" }, over(page.sent));
  if (!mayPlay() || state.match.demo) return null;
  if (state.match.paused && waitsForTable(state)) return null;
  if (state.match.paused) return mayDecide() ? el("div", { class: "actions" }, act("unpause", "main-action")) : null;
  return el("div", { class: "actions" }, program(state, page), tapSwitch(state, page), undoButton(state));
}

/** Whether the match goes on by itself once the other table is back. @param {State} state */
const waitsForTable = (state) => Boolean(state.other_table?.sentence);

/** At the end: the same again, and who began is last now; something else, or the match once more. */
function over({ match }) {
  if (match.demo) return el("button",
    { type: "button", class: "main-action", "data-focus": "stop-demo", onclick: stopDemo }, t("demo.stop"));
  const seats = [...match.players.slice(1), match.players[0]];
  const programs = seats.flatMap(({ program }, n) => (program ? [n + 1] : []));
  const again = { game: match.game, players: seats.map((player) => player.name), options: match.options,
    dice_by: match.dice_by, men_by: match.men_by,
    programs, strengths: programs.map((number) => seats[number - 1].strength) };
  return [
    ...(mayDecide() ? [act("new_match", "main-action", again, "rematch"),
      el("a", { class: "button", href: `${BASE}/new` }, t("outcome.again"))] : []),
    el("a", { class: "button", href: `${BASE}/matches/${match.id}` }, t("replay.open")),
    el("button", { type: "button", onclick: () => takeAway(match.id) }, t("controls.export")),
  ];
}

/**
 * What visitors of a kiosk need: one large button to throw, and help if the camera does not see.
 * @param {InMatch} state @param {TablePage} page
 */
function visitors(state, page) {
  if (state.outcome) return null;
  if (state.match.paused && waitsForTable(state)) return null;
  if (state.match.paused) return el("div", { class: "actions" }, act("unpause", "main-action large"));
  const helps = state.match.dice_by === "camera" && ["BLIND", "MISMATCH", "MANUAL"].includes(state.state);
  return el("div", { class: "actions" },
    state.match.dice_by === "program" || helps ? throwNow(state, page) : null,
    helps ? tapSwitch(state, page) : null,
    state.undo?.anyone ? undoButton(state) : null);
}

/**
 * While the program plays, the button stays in its place without effect; otherwise people would press whatever replaces
 * it.
 * @param {State} state
 */
function throwNow(state, page) {
  const waits = state.awaits?.by_program || state.autoplay;
  if (!waits && !["throw", "recast"].includes(state.awaits?.kind)) return null;
  return el("button", {
    type: "button", class: "main-action throw-now", "data-focus": "roll", "aria-disabled": waits ? "true" : null,
    onclick: (event) => event.currentTarget.getAttribute("aria-disabled") || roll(event.currentTarget),
  }, t(spun(state, page) ? "controls.spin" : "controls.throw"));
}

/** Throw once, even if the button is pressed several times before the throw arrives. */
async function roll(button) {
  button.setAttribute("aria-disabled", "true");
  if (!(await tryCommand("roll"))) button.removeAttribute("aria-disabled");
}

const act = (name, kind = "", data = {}, words = name) =>
  el("button", { type: "button", class: kind, "data-focus": name, onclick: () => tryCommand(name, data) },
    t(`controls.${words}`));

/**
 * Let the program throw, whoever else may: never at a sample's own table, whose camera sees what follows.
 * @param {InMatch} state
 */
function program(state, page) {
  if (state.awaits?.by_program || (state.sample && state.match.watched)) return null;
  if (!["throw", "recast"].includes(state.awaits?.kind)) return null; // choosing is for people
  if (state.autoplay) {
    return mayDecide() ? el("button",
      { type: "button", class: "main-action", "data-focus": "auto",
        onclick: () => tryCommand("autoplay", { on: false }) }, t("controls.stop")) : null;
  }
  return act("roll", state.match.dice_by === "program" && !tapping(state) ? "main-action" : "", {},
    spun(state, page) ? "roll_wheel" : "roll");
}

/** The button that undoes the last throw or move of a person, with what the program answered. @param {State} state */
function undoButton(state) {
  const undo = state.undo ?? null;
  if (undo === null || state.autoplay) return null;
  const what = undo.kind === "choice" ? undo.text : t("undo.throw", { number: undo.number });
  return el("button", {
    type: "button", class: "quiet", "data-focus": "undo", "aria-haspopup": undo.seen ? "dialog" : null,
    onclick: () => open("undo", undo, what, state),
  }, undo.answered ? t("undo.mine") : t("undo.button", { what }));
}

/** Let the program throw again and again, at a pace. */
function autoplay({ match, autoplay: plays }) {
  if (match.dice_by !== "program" || match.of === 0 || match.paused || plays) return null;
  return el("span", { class: "joined" },
    el("button", { type: "button", "data-focus": "auto",
      onclick: () => tryCommand("autoplay", { on: true, pace: PACES[pace] }) }, t("controls.auto")),
    el("select", { "aria-label": t("controls.pace"), "data-focus": "pace", onclick: (event) => event.stopPropagation(),
      onchange: (event) => (pace = event.target.value) },
      Object.keys(PACES).map((name) => {
        const option = el("option", { value: name }, t(`controls.pace_${name}`));
        option.selected = name === pace;
        return option;
      })));
}

/** @param {InMatch} state @param {TablePage} page */
function more(state, page) {
  return el("details", { class: "more", ontoggle: (event) => (moreOpen = event.target.open),
    ...(moreOpen ? { open: true } : {}) },
    el("summary", { class: "button", "data-focus": "more" }, t("controls.more")),
    el("div", { class: "more-list", onclick: closeMore },
      mayDecide() && !state.outcome ? running(state) : null,
      state.board_camera?.length && mayDecide()
        ? el("a", { class: "button", href: `${BASE}/calibrate`, "data-focus": "calibrate" }, t("controls.calibrate"))
        : null,
      el("a", { class: "button", href: `${BASE}/matches/${state.match.id}`, "data-focus": "replay" }, t("replay.open")),
      soundButtons(page.redraw),
      mayDecide() ? entry("reset", reset) : null,
      entry("export", () => takeAway(page.state.match.id))));
}

/** What the owner can do while a match goes on. @param {InMatch} state */
const running = (state) => [
  autoplay(state),
  state.match.paused ? null : act("pause"),
  state.match.options?.ending === "time" ? entry("time_up", timeUp) : null,
  entry("finish", finish),
];

const entry = (name, onclick) =>
  el("button", { type: "button", "data-focus": name, onclick: () => onclick() }, t(`controls.${name}`));

/** A demonstration is deleted when it stops: it is nobody's match. */
export async function stopDemo() {
  if (await tryCommand("stop_demo")) location.assign(`${BASE}/start`);
}

function closeMore() {
  moreOpen = false;
  document.querySelector(".more[open]")?.removeAttribute("open");
}

document.addEventListener("click", (event) => event.target.closest(".more") || closeMore());
document.addEventListener("keydown", (event) => event.key === "Escape" && closeMore());

function finish() {
  const reason = el("input", { value: t("controls.finish_default"), required: true, maxlength: 300 });
  confirmed(t("controls.finish"), [
    el("p", {}, t("controls.finish_question")),
    el("label", { class: "field" }, el("span", {}, t("controls.finish_reason")), reason),
  ], () => tryCommand("finish", { reason: reason.value }));
}

const timeUp = () => confirmed(t("controls.time_up"), [el("p", {}, t("controls.time_up_question"))],
  () => tryCommand("time_up"));

const reset = () => confirmed(t("controls.reset"), [el("p", {}, t("controls.reset_question"))],
  () => tryCommand("reset"));

/** Ask before an action that ends or restarts a match; the dialog closes at once, and a refusal shows as a notice. */
const confirmed = (heading, content, then) => open("askInDialog", byId("confirm"), heading, content, () => void then());
