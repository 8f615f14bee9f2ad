/** Moving men by pointing: the sites that a man may leave, where he may go, and the choice that follows from both. */

import { command, tryCommand } from "../page/server.js";
import { colourOf } from "./plans.js";
import { t } from "../page/texts.js";

let from = null; // the site, or `held shape number`, of the first pick
let moment = "";
let ways = []; // several choices with the same origin and target; buttons distinguish them
let claimed = null; // the site of the enemy to take
let refused = ""; // why the place that was tapped last is not open
let current = null; // the site at which Tab stops

/** A choice as {origin, to, choice, text}, or null if it moves no man from site to site. */
function asMove({ text, choice }) {
  if (choice.return) return { origin: heldName(choice.return), to: choice.to, choice, text };
  return choice.from && choice.to ? { origin: choice.from, to: choice.to, choice, text } : null;
}

export const heldName = ({ shape, number }) => `held ${shape} ${number}`;

/** The moves on a board where any man may go anywhere: from each site first an own man, else a man of the other side. */
function freeMoves(board) {
  const places = [..."ABC"].flatMap((row) => Array.from({ length: 12 }, (_, n) => `${row}${n + 1}`)).concat("hand");
  return Object.entries(board.men).flatMap(([origin, men]) => {
    const side = men[String(board.free)] ? board.free : Number(Object.keys(men)[0]);
    return places.filter((to) => to !== origin).map((to) => ({ origin, to, choice: { side, from: origin, to }, text: `${origin}-${to}` }));
  });
}

/** What can be picked now, as {origins, targets, takes, chosen, current, ways, claimed}; null if nobody chooses on this board. */
export function picking(state) {
  const board = state.board;
  const choosing = board && state.match && !state.match.paused && !state.outcome && !state.ask && !state.watch?.ask && state.awaits?.kind === "choice" && !state.awaits.by_program;
  if (!choosing) {
    from = claimed = null;
    ways = [];
    refused = "";
    return null;
  }
  const now = JSON.stringify([state.match.id, state.log?.at(-1)?.event]);
  if (now !== moment) {
    moment = now;
    from = claimed = null;
    ways = [];
    refused = "";
  }
  const moves = board.free ? freeMoves(board) : (state.choices ?? []).map(asMove).filter(Boolean);
  const origins = new Set(moves.map((move) => move.origin));
  if (from !== null && !origins.has(from)) from = null;
  const targets = new Set(moves.filter((move) => move.origin === from).map((move) => move.to));
  const takes = new Set(board.claims?.length ? Object.keys(board.men).filter((site) => board.men[site].colour !== own(state)) : []);
  const stop = current ?? [...origins].find((site) => !site.startsWith("held")) ?? [...takes][0] ?? Object.keys(board.men)[0] ?? null;
  return { moves, origins, targets, takes, chosen: claimed ?? from, current: stop, ways, claimed, refused, colour: colourOf(board.sides?.[state.awaits.player] ?? board.free, state.watch?.seating ?? {}) };
}

/** The colour of the player to move: player 1 has the white men. */
const own = (state) => (state.awaits.player === 1 ? "white" : "black");

/** Pick a site: a man to move, his target, or an enemy to take; `redraw` shows the sites that this highlights. */
export function pick(site, state, redraw) {
  const now = picking(state);
  if (!now) return;
  current = site.startsWith("held") ? current : site;
  ways = [];
  claimed = null;
  refused = "";
  if (from !== null && now.targets.has(site)) {
    const found = now.moves.filter((move) => move.origin === from && move.to === site);
    if (found.length === 1) play(found[0]);
    else ways = found;
  } else if (site === from) from = null;
  else if (now.origins.has(site)) from = site;
  else if (now.takes.has(site)) {
    from = null;
    claimed = site;
  } else if (from === null) refused = site.startsWith("held") ? "" : t("moves.not_from", { site });
  else tellWhy(now.moves.find((move) => move.origin === from), site, redraw);
  redraw();
}

/** Ask the rules why a man may not go to a site, and show what they say; the man stays picked. */
async function tellWhy(known, site, redraw) {
  const asked = [moment, from];
  let why;
  try {
    why = (await command("explain_choice", { text: known.text.replace(known.to, site) })).sentence;
  } catch (error) {
    why = error.message;
  }
  if (asked[0] !== moment || asked[1] !== from) return; // something else is picked by now
  refused = t("moves.not_to", { site, why });
  redraw();
}

/** Cancel the pick. */
export function letGo(redraw) {
  from = claimed = null;
  refused = "";
  ways = [];
  redraw();
}

let playing = false;

/** Make a move, only once even if it is requested several times. */
export async function play({ choice }) {
  if (playing) return;
  playing = true;
  await tryCommand("choose", { choice });
  playing = false;
}
