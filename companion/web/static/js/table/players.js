/** The players with their scores and pairs, and how far the match is. */

import { byId, el, rebuild } from "../page/dom.js";
import { marks, seal, wearMen } from "../page/seal.js";
import { nameOf, t } from "../page/texts.js";

/** @param {State} state @param {TablePage} page */
export function showPlayers(state, page) {
  const players = state.match?.players ?? [];
  const turn = state.outcome ? null : state.awaits?.player;
  const winners = state.outcome?.winners ?? [];
  const letters = marks(players);
  wearMen(players, state.board, state.watch?.seating);
  const holds = players.map((player) => page.heldBy(player.number).map((virtue) => virtue.id));
  rebuild(byId("players"), [players, turn, winners, holds, state.match?.goal], () => players.map((player) =>
    el("li", { class: "player", "data-player": player.number, "data-turn": player.number === turn ? "yes" : null },
      seal(player.number, letters[player.number]),
      el("span", { class: "player-name" }, player.name,
        player.program ? el("span", { class: "tag" },
          player.strength ? t(`cards.strength_${player.strength}`) : t("players.program")) : null,
        player.number === turn ? el("span", { class: "turn" }, t("players.turn")) : null,
        winners.includes(player.number) ? el("span", { class: "turn" }, t(`players.${honour(state)}`)) : null),
      el("span", { class: "score" }, String(player.score), " ", el("small", {}, scored(player.score, state))),
      holdings(player, page))));
}

/** The name of a winner: no game of virtues has two teachers. */
const honour = ({ match, outcome }) => (outcome.winners.length > 1 ? "shares" : match.of ? "winner" : "won");

/** What follows a score: of how many, where a score ends the match; else its unit. @param {any} state */
function scored(score, state) {
  const { goal } = state.match;
  const counts = state.ludix ? "points" : state.board?.counts;
  return goal ? t(counts ? `players.goal_${counts}` : "players.goal", { count: goal }) : unit(score, state);
}

/**
 * The unit of a score: virtues, points of Ludix, or what a board counts; nothing where it counts nothing by itself.
 * @param {State} state
 */
export function unit(score, state) {
  if (state.match?.of) return t("players.score", { count: score });
  const counts = state.ludix ? "points" : state.board?.counts;
  return counts ? t(`players.score_${counts}`, { count: score }) : "";
}

/** @param {TablePage} page */
function holdings(player, page) {
  const held = page.heldBy(player.number);
  if (held.length === 0) return null;
  const name = (lot) => nameOf(page.virtue(lot)) ?? lot;
  return el("details", { class: "holdings", ...(page.opened.has(player.number) ? { open: true } : {}),
    ontoggle: (event) => page.opened[event.target.open ? "add" : "delete"](player.number) },
    el("summary", { "data-focus": `holdings-${player.number}` },
      player.pairs.length ? t("players.pairs", { count: player.pairs.length }) : t("players.pairs_none")),
    player.pairs.length ? el("ul", { class: "pair-list" },
      player.pairs.map(([one, other]) => el("li", {}, name(one), " + ", name(other)))) : null,
    el("p", { class: "held" }, held.flatMap((virtue, n) => [n ? ", " : "", name(virtue.id)])));
}

/** @param {State} state */
export function showProgress(state) {
  const match = state.match;
  rebuild(byId("progress"), match && [match.acquired, match.of, match.throws], () => {
    if (!match || match.dice_sets?.length === 0) return null;
    const throws = el("span", {}, t("progress.throws", { count: match.throws }));
    if (!match.of) return el("p", { class: "progress-text" }, throws);
    const label = t("progress.label", { acquired: match.acquired, of: match.of, count: match.throws });
    return [
      el("progress", { max: match.of, value: match.acquired, "aria-label": label }),
      el("p", { class: "progress-text" },
        el("span", {}, t("progress.virtues", { acquired: match.acquired, of: match.of })),
        throws),
    ];
  });
}
