/** The choices now, a button each. */

import { byId, el, rebuild } from "../page/dom.js";
import { tryCommand } from "../page/server.js";
import { hasText, listed, t } from "../page/texts.js";
import { hinted, hintOf, hintPart } from "./hint.js";

let unfolded = false;
let others = false; // whether the lesser numerals of Ludix are unfolded

/** Whether a person chooses now. @param {State} state @returns {state is InMatch} */
export function personChooses(state) {
  const { match, outcome, awaits } = state;
  return Boolean(match && !match.paused && !outcome && awaits?.kind === "choice" && !awaits.by_program);
}

/** @param {State} state @param {TablePage} page */
export function showChoices(state, page) {
  const box = byId("choices");
  const choosing = personChooses(state);
  const choices = choosing ? state.choices ?? [] : [];
  const coded = state.board ? choices.filter(movesAMan) : []; // tapped on the board, so their names are folded
  box.hidden = !choosing;
  const key = [choosing && state.match.id, choosing && state.log?.at(-1)?.event, choices, state.ludix?.stake,
    hintOf(state)];
  rebuild(box, key, () => [
    choosing ? el("h2", { id: "choices-heading" },
      t("choices.heading", { player: page.name(state.awaits.player) })) : null,
    ...(choices.length && state.ludix ? ludixButtons(choices, state, page)
      : [buttons(choices.filter((one) => !coded.includes(one)), state, page)]),
    choosing && state.board ? folded(coded, state, page) : choosing && !state.ludix ? typed() : null,
    choosing && (state.ludix || (state.board && !state.board.free)) ? hintPart(state, page.redraw) : null,
  ]);
}

const movesAMan = ({ choice }) => Boolean(choice.return || (choice.from && choice.to));

function buttons(choices, state, page) {
  if (!choices.length) return null;
  return el("div", { class: state.ludix ? "choice-buttons ludix-choices" : "choice-buttons" }, choices.map((one) =>
    button(one, state, state.ludix ? ludixChoice(one.choice, state.ludix)
      : one.choice.choice === "end" ? ended(one.choice.winner, state, page) : named(one.text))));
}

const button = ({ text, choice }, state, words) =>
  el("button", { type: "button", class: hinted(choice, state) ? "hinted" : null, "data-focus": `choice-${text}`,
    onclick: (event) => choose(event.currentTarget, choice) }, words);

/**
 * In Ludix nearly everybody takes the best numeral: its two choices, and the lesser ones folded.
 * @param {TablePage} page
 */
function ludixButtons(choices, state, page) {
  const best = state.ludix.numerals[0]?.text;
  const first = choices.filter(({ choice }) => choice.numeral === best);
  const rest = choices.filter((one) => !first.includes(one));
  return [
    el("div", { class: "choice-buttons ludix-choices first" }, first.map((one) =>
      button(one, state, one.choice.then === "stop" ? t("ludix.stop_best", { count: state.ludix.stake })
        : t("ludix.risk")))),
    rest.length ? el("details", { class: "all-choices", ...(others || rest.some(({ choice }) => hinted(choice, state))
      ? { open: true }
      : {}), ontoggle: (event) => (others = event.target.open) },
      el("summary", { "data-focus": "others" }, t("ludix.others")), buttons(rest, state, page)) : null,
  ];
}

/** What the button of a choice says: its notation, or words for one that is a word. */
const named = (text) => (hasText(`choices.words.${text}`) ? t(`choices.words.${text}`) : text);

/** The end of a free game, which the players agree on: the first half of them is side 1. */
function ended(side, { match: { players } }, page) {
  if (!side) return t("choices.end_tied");
  const half = players.length / 2;
  return t("choices.end_won",
    { names: listed(players.filter(({ number }) => Math.ceil(number / half) === side).map(({ number }) =>
      page.name(number))) });
}

/** The text on the button of a choice in Ludix. */
function ludixChoice(choice, turn) {
  const value = turn.numerals.find((one) => one.text === choice.numeral)?.value ?? 0;
  const before = turn.stake - (turn.numerals[0]?.value ?? 0);
  return choice.then === "stop"
    ? t("ludix.stop", { numeral: choice.numeral, count: before + value })
    : t("ludix.again", { numeral: choice.numeral, count: before + value });
}

/**
 * Where men are moved by pointing, the moves in writing are folded, for people who prefer them.
 * @param {State} state @param {TablePage} page
 */
function folded(choices, state, page) {
  return el("details", { class: "all-choices", ...(unfolded ? { open: true } : {}),
    ontoggle: (event) => (unfolded = event.target.open) },
    el("summary", { "data-focus": "all-choices" }, t("choices.written")),
    buttons(choices, state, page), typed());
}

/** A field for people who prefer to type, and for choices that players must find themselves. */
function typed() {
  const field = el("input", { "aria-label": t("choices.typed"), placeholder: t("choices.typed"), maxlength: 80,
    "data-focus": "typed-choice", required: true });
  return el("form", {
    class: "typed-choice",
    onsubmit: async (event) => {
      event.preventDefault();
      if (await tryCommand("choose", { text: field.value })) field.value = "";
    },
  }, field, el("button", { type: "submit" }, t("choices.enter")));
}

/** Make a choice, only once even if its button is pressed several times. */
async function choose(button, choice) {
  button.disabled = true;
  if (!(await tryCommand("choose", { choice }))) button.disabled = false;
}
