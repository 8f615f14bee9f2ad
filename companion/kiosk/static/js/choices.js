/** What may be chosen now, a button each, and taking the last choice back; for other games than the virtues the board as text. */

import { byId, el, rebuild, setText } from "./dom.js";
import { tryCommand } from "./server.js";
import { t } from "./texts.js";

export function showChoices(state, page) {
  const box = byId("choices");
  const choices = state.match?.paused || state.outcome ? [] : state.choices ?? [];
  const back = state.take_back ?? null;
  box.hidden = choices.length === 0 && back === null;
  rebuild(box, [choices, back], () => [
    choices.length ? el("h2", { id: "choices-heading" }, t("choices.heading", { player: page.name(state.awaits.player) })) : null,
    choices.length ? el("div", { class: "choice-buttons" }, choices.map(({ text, choice }) =>
      el("button", { type: "button", "data-focus": `choice-${text}`, onclick: (event) => choose(event.target, choice) }, text))) : null,
    back === null ? null : el("div", { class: "actions" }, el("button", {
      type: "button", class: "quiet", "data-focus": "take-back", onclick: () => tryCommand("take_back", { event: back.event }),
    }, t("choices.take_back", { move: back.text }))),
  ]);
}

/** A choice is made once, however often its button is pressed. */
async function choose(button, choice) {
  button.disabled = true;
  if (!(await tryCommand("choose", { choice }))) button.disabled = false;
}

/** The board in plain text, for games that the page does not draw otherwise. */
export function showDrawn(state) {
  const drawn = state.drawn ?? null;
  const board = byId("drawn");
  document.body.classList.toggle("drawn-board", drawn !== null);
  board.hidden = drawn === null;
  setText(board, drawn ?? "");
}
