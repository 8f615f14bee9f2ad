/** Moving men by pointing: which site a man may leave, where he may go, and what is chosen once both are known. */

import { tryCommand } from "../page/server.js";

let from = null; // the site, or `held shape number`, that was picked first
let moment = "";
let ways = []; // several choices that lead from here to there, to be told apart by a button
let claimed = null; // the enemy's site that is to be taken
let current = null; // the site that Tab comes to

/** A choice as {origin, to, choice, text}, or null where it moves no man from place to place. */
function asMove({ text, choice }) {
  if (choice.return) return { origin: heldName(choice.return), to: choice.to, choice, text };
  return choice.from && choice.to ? { origin: choice.from, to: choice.to, choice, text } : null;
}

export const heldName = ({ shape, number }) => `held ${shape} ${number}`;

/** Where any man may go anywhere: what is on a site moves, an own man before another's. */
function freeMoves(board) {
  const places = [..."ABC"].flatMap((row) => Array.from({ length: 12 }, (_, n) => `${row}${n + 1}`)).concat("hand");
  return Object.entries(board.men).flatMap(([origin, men]) => {
    const side = men[String(board.free)] ? board.free : Number(Object.keys(men)[0]);
    return places.filter((to) => to !== origin).map((to) => ({ origin, to, choice: { side, from: origin, to }, text: `${origin}-${to}` }));
  });
}

/** What can be picked now, as {origins, targets, takes, chosen, current, ways, claimed}; null where nobody chooses on this board. */
export function picking(state) {
  const board = state.board;
  const choosing = board && state.match && !state.match.paused && !state.outcome && !state.ask && !state.watch?.ask && state.awaits?.kind === "choice" && !state.awaits.by_program;
  if (!choosing) {
    from = claimed = null;
    ways = [];
    return null;
  }
  const now = JSON.stringify([state.match.id, state.log?.at(-1)?.event]);
  if (now !== moment) {
    moment = now;
    from = claimed = null;
    ways = [];
  }
  const moves = board.free ? freeMoves(board) : (state.choices ?? []).map(asMove).filter(Boolean);
  const origins = new Set(moves.map((move) => move.origin));
  if (from !== null && !origins.has(from)) from = null;
  const targets = new Set(moves.filter((move) => move.origin === from).map((move) => move.to));
  const takes = new Set(board.claims?.length ? Object.keys(board.men).filter((site) => board.men[site].colour !== own(state)) : []);
  const stop = current ?? [...origins].find((site) => !site.startsWith("held")) ?? [...takes][0] ?? Object.keys(board.men)[0] ?? null;
  return { moves, origins, targets, takes, chosen: claimed ?? from, current: stop, ways, claimed };
}

/** The colour of whoever is to play: player 1 has the white men. */
const own = (state) => (state.awaits.player === 1 ? "white" : "black");

/** Pick a site: a man to be moved, where he goes, or an enemy to be taken; `redraw` shows what that has lit up. */
export function pick(site, state, redraw) {
  const now = picking(state);
  if (!now) return;
  current = site.startsWith("held") ? current : site;
  ways = [];
  claimed = null;
  if (from !== null && now.targets.has(site)) {
    const found = now.moves.filter((move) => move.origin === from && move.to === site);
    if (found.length === 1) play(found[0]);
    else ways = found;
  } else if (site === from) from = null;
  else if (now.origins.has(site)) from = site;
  else {
    from = null;
    claimed = now.takes.has(site) ? site : null;
  }
  redraw();
}

/** Let go of what was picked. */
export function letGo(redraw) {
  from = claimed = null;
  ways = [];
  redraw();
}

let playing = false;

/** Make a move, once however often it is asked for. */
export async function play({ choice }) {
  if (playing) return;
  playing = true;
  await tryCommand("choose", { choice });
  playing = false;
}
