/**
 * Claiming a capture: after pointing at the enemy, the player names the kind and sees the arithmetic before taking him.
 */

import { sayMen } from "./drawing.js";
import { el } from "../page/dom.js";
import { command, tryCommand } from "../page/server.js";
import { say, t } from "../page/texts.js";

/** What this page keeps from one step to the next. @type {Record<string, any>} */
const kept = {
  about: "",
  part: 0, // the number of a pyramid's part, 0 for the whole
  kind: null,
  answer: null, // the referee's answer for that kind: {sentence, choices}
};

/** The answers so far: a change redraws the panel. @param {InMatch} state */
export function answered(state, site) {
  const key = `${state.match.id} ${state.log?.at(-1)?.event} ${site}`;
  if (key !== kept.about) {
    kept.about = key;
    kept.part = 0;
    kept.kind = kept.answer = null;
  }
  return [kept.about, kept.part, kept.kind, kept.answer];
}

/** The panel for the man on a site; `redraw` shows the answers. */
export function claimPanel(state, site, redraw) {
  const man = state.board.men[site];
  const target = kept.part ? `${site}/${kept.part}` : site;
  const ask = async (wanted) => {
    kept.kind = wanted;
    kept.answer = null;
    try {
      const reply = await command("explain_choice", { text: `takes ${target} by ${wanted}` });
      kept.answer = { sentence: reply.sentence, choices: reply.data.choices };
    } catch (error) {
      kept.answer = { sentence: { text: error.message, template: "", parts: {} }, choices: [] };
    }
    redraw();
  };
  return el("div", { class: "claim", role: "group", "aria-labelledby": "claim-heading" },
    el("h2", { id: "claim-heading" }, t("claims.heading", { man: sayMen(man), site })),
    man.parts?.length > 1 ? partChoice(man, () => {
      kept.kind = kept.answer = null;
      redraw();
    }) : null,
    el("div", { class: "claim-kinds" }, state.board.claims.map((one) =>
      el("button", { type: "button", "data-focus": `claim-${one}`, "aria-pressed": one === kept.kind ? "true" : "false",
        onclick: () => ask(one) },
        el("strong", {}, t(`claims.${one}`)), el("small", {}, t(`claims.${one}_is`))))),
    kept.answer ? el("div", { class: "claim-told", role: "status" },
      kept.answer.choices.length ? el("ul", {}, kept.answer.choices.map((choice) => el("li", {},
        el("p", {}, say(choice.sentence)),
        el("button", { type: "button", class: "main-action", "data-focus": `take-${choice.text}`,
          "aria-label": t("claims.take_this", { what: choice.text }),
          onclick: () => tryCommand("choose", { choice: choice.choice }) }, t("claims.take")))))
        : el("p", { class: "claim-refused" }, say(kept.answer.sentence))) : null);
}

/** Choose what to take from a pyramid: the whole, or one of its parts. */
function partChoice(man, changed) {
  const choose = (number) => () => {
    kept.part = number;
    changed();
  };
  return el("div", { class: "claim-parts", role: "group", "aria-label": t("claims.which_part") },
    [{ number: 0 }, ...man.parts].map((one) => el("button",
      { type: "button", "data-focus": `part-${one.number}`, "aria-pressed": one.number === kept.part ? "true" : "false",
        onclick: choose(one.number) },
      one.number ? t("moves.part", { shape: t(`men.${one.shape}`), number: one.number })
        : t("claims.whole", { number: man.number }))));
}
