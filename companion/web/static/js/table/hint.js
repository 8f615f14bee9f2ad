/** A hint on demand: the best turn, why, and what others lose. It stays until something happens in the match. */

import { BASE, el } from "../page/dom.js";
import { ask, notice } from "../page/server.js";
import { t } from "../page/texts.js";

let told = null; // {moment, sentences}: what is shown, or sentences null while the program thinks

const momentOf = (state) => `${state.match.id}/${state.log?.at(-1)?.event ?? 0}`;

/** What the choices need to be drawn anew for. */
export const hintKey = (state) => (state.match && told?.moment === momentOf(state) ? told.sentences ?? "thinking" : null);

/** The button, and below it what it told. `redraw` shows the choices again. */
export function hintPart(state, redraw) {
  const moment = momentOf(state);
  const now = told?.moment === moment ? told : null;
  return el("div", { class: "hinting" },
    el("div", { class: "actions" }, el("button", {
      type: "button", class: "quiet", "data-focus": "hint", "aria-disabled": now && !now.sentences ? "true" : null,
      onclick: () => now || think(state.match.id, moment, redraw),
    }, t(now && !now.sentences ? "choices.thinking" : "choices.hint"))),
    el("div", { role: "status" }, now?.sentences ? el("ul", { class: "effects" }, now.sentences.map((one) => el("li", {}, one))) : null));
}

async function think(match, moment, redraw) {
  const { lang } = document.documentElement;
  told = { moment, sentences: null };
  redraw();
  try {
    const answer = await (await ask(`${BASE}/api/matches/${match}/hint?language=${lang}`)).json();
    if (told.moment === moment) told = { moment, sentences: answer.sentences };
  } catch (error) {
    told = null;
    notice(error.message);
  }
  redraw();
}
