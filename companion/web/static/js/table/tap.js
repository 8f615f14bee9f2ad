/** Entering a throw by hand, and the second cast with the choice of its cube. */

import { byId, el } from "../page/dom.js";
import { leadsTo, spun, turns } from "./dice_now.js";
import { faceRows } from "./faces.js";
import { tryCommand } from "../page/server.js";
import { hasText, t, translated } from "../page/texts.js";

let shown = "";
let wanted = null; // null: the match decides; true or false: the choice of the person at the table
let chosenSet = null;

/** Whether people enter faces by hand now. @param {State} state @returns {state is InMatch} */
export function tapping(state) {
  if (!state.match || state.outcome || state.match.paused || state.ask || state.autoplay
    || state.awaits?.by_program) return false;
  if (!["throw", "recast"].includes(state.awaits?.kind)) return false;
  return wanted ?? state.match.dice_by === "tapped";
}

/** The button for entering by hand where the program throws or the camera reads. @param {InMatch} state */
export function tapSwitch(state, page) {
  if (!["throw", "recast"].includes(state.awaits?.kind) || state.awaits.by_program
    || state.match.dice_by === "tapped") return null;
  const open = tapping(state);
  return el("button", {
    type: "button", class: state.state === "BLIND" && !open ? "main-action"
      : state.match.dice_by === "camera" ? "quiet" : "", "data-focus": "tap-switch",
      "aria-expanded": open ? "true" : "false",
    onclick: () => {
      wanted = !open;
      page.redraw();
    },
  }, open ? t(state.match.dice_by === "camera" ? "tap.close" : "tap.close_program")
    : t(spun(state, page) ? "tap.open_wheel" : "tap.open"));
}

/** @param {State} state @param {TablePage} page */
export function showTap(state, page) {
  const box = byId("tap");
  const open = tapping(state);
  box.hidden = !open;
  if (!open) {
    shown = "";
    return;
  }
  const { kind, dice_sets: sets, dice } = state.awaits;
  if (!sets.includes(chosenSet)) chosenSet = sets[0];
  const key = JSON.stringify([state.match.id, kind, sets, dice, chosenSet, state.throw?.event, state.match.throws,
    state.awaits.player]);
  if (key === shown) return;
  const hadFocus = box.contains(document.activeElement);
  shown = key;
  build(box, state, page, kind === "recast");
  if (hadFocus) box.querySelector("input[type=radio][data-die]")?.focus();
}

/** @param {TablePage} page */
function build(box, state, page, single) {
  const { dice_sets: sets, dice } = state.awaits;
  const count = single ? 1 : dice.length;
  const pointer = turns(chosenSet, page);
  const leads = el("div", { class: "tap-leads", "aria-live": "polite" });
  const submit = el("button", { type: "submit", class: "main-action", disabled: true },
    t(single ? "tap.submit_recast" : pointer ? "tap.submit_wheel" : "tap.submit"));
  const rows = faceRows({
    page, set: chosenSet, names: dice, single,
    changed(faces) {
      submit.disabled = Object.keys(faces).length !== count;
      const lot = single ? null : pointsTo(rows.dice, faces, state, page);
      leads.replaceChildren(...(lot ? [lot] : []));
    },
  });
  const form = el("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const faces = rows.faces();
      if (Object.keys(faces).length !== count) return;
      submit.disabled = true;
      const reply = await tryCommand("throw", { faces, dice_set: chosenSet });
      if (!reply) submit.disabled = false;
    },
  },
    el("div", { class: "tap-head" },
      el("h2", { id: "tap-heading" },
        t(single ? "tap.heading_recast" : pointer ? "tap.heading_wheel" : "tap.heading")),
      sets.length > 1 ? setChoice(sets, state, page) : null),
    el("p", { class: "hint" },
      t(single ? "tap.hint_recast"
        : pointer ? "tap.hint_wheel"
          : rows.dice.some(hidden) ? "tap.hint" : "tap.hint_pips")),
    rows.node,
    el("div", { class: "tap-foot" }, leads,
      el("div", { class: "actions" }, submit,
        el("button", { type: "button", class: "quiet", onclick: () => rows.back() }, t("tap.back")),
        el("button", { type: "button", class: "quiet", onclick: () => rows.clear() }, t("tap.clear")))),
    pointer ? null : el("p", { class: "hint keys" }, t("tap.keys")),
  );
  form.addEventListener("keydown", (/** @type {any} */ event) => {
    if (event.key === "Enter" && event.target.matches("input[type=radio]")) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  box.replaceChildren(form);
}

/** @param {InMatch} state @param {TablePage} page */
function setChoice(sets, state, page) {
  const name = (set) => (hasText(`tap.${set}`) ? t(`tap.${set}`) : translated(page.setup.dice_sets[set].title));
  return el("fieldset", { class: "switch" }, el("legend", { class: "unseen" }, t("tap.dice_set")), sets.map((set) =>
    el("label", {},
      el("input", { type: "radio", name: "dice-set", value: set, checked: set === chosenSet, onchange: () => {
        chosenSet = set;
        showTap(state, page);
      } }),
      el("span", {}, name(set)))));
}

/** Whether a die's outcome is the face on which it lies. */
const hidden = (die) => die.counts === "down";

/** Where the chosen dice lead so far: a sector; the lot of the cubes; or, where no die lies hidden, their sum. */
function pointsTo(dice, faces, state, page) {
  if (!state.match.of) return null;
  const led = (lot) => leadsTo({ lots: [lot], holder: page.virtue(lot)?.owner }, page);
  if (dice[0]?.shape === "wheel") return faces[dice[0].name] ? led(faces[dice[0].name]) : null;
  const values = dice.filter((die) => die.shape === "cube").map((die) =>
    die.faces.find((face) => face.text === faces[die.name])?.value);
  if (values.includes(undefined)) return null;
  if (dice.some(hidden)) return led(values.sort().join("."));
  const sum = values.reduce((one, other) => one + other, 0);
  return leadsTo({ lots: state.virtues.filter((virtue) => virtue.sum === sum).map((virtue) => virtue.id), sum }, page);
}
