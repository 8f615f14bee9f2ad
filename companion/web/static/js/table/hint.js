/** A hint on demand: the best turn is drawn on the board or marked among the choices, and says why if asked. */

import { BASE, el } from "../page/dom.js";
import { ask, notice } from "../page/server.js";
import { t } from "../page/texts.js";

let told = null; // {moment, sentences, arrows, choices}, or {moment} while the program thinks
let unfolded = false;

const momentOf = (state) => `${state.match.id}/${state.log?.at(-1)?.event ?? 0}`;

/** The hint for the state, null if nobody asked for one; until the program has thought it has nothing but its moment. */
export const hintOf = (state) => (state.match && told?.moment === momentOf(state) ? told : null);

/** Whether a choice is the one that the hint names first. */
export const hinted = (choice, state) => JSON.stringify(hintOf(state)?.choices?.[0]) === JSON.stringify(choice);

/** The button, and below it why, folded. `redraw` shows board and choices again. */
export function hintPart(state, redraw) {
  const now = hintOf(state);
  return el("div", { class: "hinting" },
    el("div", { class: "actions" }, el("button", {
      type: "button", class: "quiet", "data-focus": "hint", "aria-disabled": now && !now.sentences ? "true" : null,
      onclick: () => now || think(state.match.id, momentOf(state), redraw),
    }, t(now && !now.sentences ? "choices.thinking" : "choices.hint"))),
    el("p", { class: "unseen", role: "status" }, now?.sentences?.[0] ?? ""),
    now?.sentences ? el("details", { class: "why", open: unfolded || !(now.arrows.length || now.choices.length), ontoggle: (event) => (unfolded = event.target.open) },
      el("summary", { "data-focus": "why" }, t("choices.why")),
      el("ul", { class: "effects" }, now.sentences.map((one) => el("li", {}, one)))) : null);
}

async function think(match, moment, redraw) {
  const { lang } = document.documentElement;
  told = { moment };
  redraw();
  try {
    const answer = await (await ask(`${BASE}/api/matches/${match}/hint?language=${lang}`)).json();
    if (told.moment === moment) told = { moment, ...answer };
  } catch (error) {
    told = null;
    notice(error.message);
  }
  redraw();
}
