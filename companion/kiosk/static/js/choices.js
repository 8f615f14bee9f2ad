/** What may be chosen now, a button each, and taking the last choice back; for other games than the virtues the board as text. */

import { byId, el, rebuild, setText } from "./dom.js";
import { tryCommand } from "./server.js";
import { t } from "./texts.js";

export function showChoices(state, page) {
  const box = byId("choices");
  const choosing = Boolean(state.match) && !state.match.paused && !state.outcome && state.awaits?.kind === "choice";
  const choices = choosing ? state.choices ?? [] : [];
  const back = state.take_back ?? null;
  box.hidden = !choosing && back === null;
  rebuild(box, [choosing && state.match.id, choosing && state.log?.at(-1)?.event, choices, back], () => [
    choosing ? el("h2", { id: "choices-heading" }, t("choices.heading", { player: page.name(state.awaits.player) })) : null,
    choosing ? typed() : null,
    choices.length ? el("div", { class: "choice-buttons" }, choices.map(({ text, choice }) =>
      el("button", { type: "button", "data-focus": `choice-${text}`, onclick: (event) => choose(event.target, choice) }, text))) : null,
    back === null ? null : el("div", { class: "actions" }, el("button", {
      type: "button", class: "quiet", "data-focus": "take-back", onclick: () => tryCommand("take_back", { event: back.event }),
    }, t("choices.take_back", { move: back.text }))),
  ]);
}

/** A field for whoever would rather type, and for what is not shown because players are to find it. */
function typed() {
  const field = el("input", { "aria-label": t("choices.typed"), placeholder: t("choices.typed"), maxlength: 80, "data-focus": "typed-choice", required: true });
  return el("form", {
    class: "typed-choice",
    onsubmit: async (event) => {
      event.preventDefault();
      if (await tryCommand("choose", { text: field.value })) field.value = "";
    },
  }, field, el("button", { type: "submit" }, t("choices.enter")));
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
  const columns = Math.max(24, ...(drawn ?? "").split("\n").map((line) => line.length));
  board.style.setProperty("--columns", columns); // so that the widest line fits
}
