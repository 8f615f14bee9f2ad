/** A turn of Ludix: the best numeral on the table, what is at stake, and how likely another throw loses it. */

import { byId, el, rebuild } from "../page/dom.js";
import { tapping } from "./tap.js";
import { say, t } from "../page/texts.js";

export function showLudix(state) {
  const box = byId("ludix");
  const turn = state.ludix ?? null;
  box.hidden = turn === null || Boolean(state.outcome);
  if (box.hidden) {
    delete box.dataset.key;
    return;
  }
  const begun = Boolean(state.throw);
  const pad = tapping(state); // it needs the room
  rebuild(box, [state.match.id, turn, begun, pad], () => {
    const best = turn.numerals[0];
    return [
      ...(begun ? (best || !pad ? numeral(best) : [])
        : [el("p", { class: "lead" }, t("ludix.first", { target: turn.target }))]),
      gauge(turn, state),
      el("div", { class: "ludix-said" }, turn.sentences.map((sentence) => el("p", {}, say(sentence)))),
    ];
  });
}

/** The best numeral and what it is worth; between two throws their place stays, so that nothing below them moves. */
function numeral(best) {
  return [
    el("p", { class: "numeral", "aria-hidden": "true" }, best ? best.text : "\u00a0"),
    el("p", { class: "numeral-value", "aria-hidden": "true" },
      best ? t("ludix.points", { count: best.value }) : "\u00a0"),
  ];
}

/** The player's progress to the target: the noted points, and those at stake. @param {InMatch} state */
function gauge(turn, state) {
  const player = state.match.players.find((one) => one.number === state.awaits.player);
  if (!player) return null;
  const noted = player.score;
  const label = t("ludix.gauge", { player: player.name, noted, stake: turn.stake, target: turn.target });
  return el("div", { class: "ludix-gauge" },
    el("meter", { min: 0, max: turn.target, value: Math.min(turn.target, noted + turn.stake), "aria-label": label }),
    el("span", {}, label));
}
