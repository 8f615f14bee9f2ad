/**
 * A hint on demand: the steps of the best turn that are still to do are drawn on the board or marked among the choices.
 */

import { BASE, el } from "../page/dom.js";
import { attempt, fetched } from "../page/server.js";
import { t } from "../page/texts.js";

// {match, event, sentences, steps: [{choice, text, arrows}]}, or {match, event} while the program thinks
let given = null;
let unfolded = false;

/** The hint for the state, null if nobody asked for one; it stays as long as its steps are made, and loses those. */
export function hintOf({ match, log }) {
  if (given?.match !== match?.id) given = null;
  for (const { event, move } of log ?? []) {
    if (!given || event <= given.event) continue;
    const [step, ...left] = given.steps ?? [];
    given = step?.text === move && left.length ? { ...given, event, steps: left } : null;
  }
  return given;
}

/** Whether a choice is the one that the hint names first. @param {State} state */
export const hinted = (choice, state) => JSON.stringify(hintOf(state)?.steps?.[0]?.choice) === JSON.stringify(choice);

/** The arrows of the steps still to do. */
export const hintArrows = (hint) => hint?.steps?.flatMap(({ arrows }) => arrows) ?? [];

/** The button, and below it why, folded. `redraw` shows board and choices again. @param {InMatch} state */
export function hintPart(state, redraw) {
  const now = hintOf(state);
  return el("div", { class: "hinting" },
    el("div", { class: "actions" }, el("button", {
      type: "button", class: "quiet", "data-focus": "hint", "aria-disabled": now && !now.sentences ? "true" : null,
      onclick: () => now || think({ match: state.match.id, event: state.log?.at(-1)?.event ?? 0 }, redraw),
    }, t(now && !now.sentences ? "choices.thinking" : "choices.hint"))),
    el("p", { class: "unseen", role: "status" }, now?.sentences?.[0] ?? ""),
    now?.sentences ? el("details",
      { class: "why", open: unfolded || !now.steps.length, ontoggle: (event) => (unfolded = event.target.open) },
      el("summary", { "data-focus": "why" }, t("choices.why")),
      el("ul", { class: "effects" }, now.sentences.map((one) => el("li", {}, one)))) : null);
}

async function think(now, redraw) {
  const { lang } = document.documentElement;
  given = now;
  redraw();
  const answer = await attempt(() => fetched(`${BASE}/api/matches/${now.match}/hint?language=${lang}`));
  if (given === now) given = answer && { ...now, ...answer };
  redraw();
}
