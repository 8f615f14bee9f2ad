/** Moving men by pointing: the sites that a man may leave, where he may go, and the choice that follows from both. */

import { command, tryCommand } from "../page/server.js";
import { colourOf, planOf } from "./plans.js";
import { personChooses } from "../table/choices.js";
import { t } from "../page/texts.js";

const NOTHING = { from: null, ways: [], claimed: null, refused: "" };

/** @typedef {{ origin: string, to: string, choice: any, text: string }} Move */

/**
 * What is picked on this page. `from`: the site, or `held shape number`, of the first pick; `ways`: several choices
 * with the same origin and target, which buttons distinguish; `claimed`: the site of the enemy to take; `refused`: why
 * the place that was tapped last is not open; `moment`: the match and event that this belongs to; `current`: where Tab
 * stops.
 *
 * @type {{ from: ?string, ways: Move[], claimed: ?string, refused: string, moment: string, current: ?string,
 *   playing: boolean }}
 */
const picked = { ...NOTHING, moment: "", current: null, playing: false };

const forget = () => Object.assign(picked, NOTHING);

/** A choice as a move, in a list; none if it moves no man from site to site. @returns {Move[]} */
export function asMove({ text, choice }) {
  const origin = choice.return ? heldName(choice.return) : choice.from;
  return origin && choice.to ? [{ origin, to: choice.to, choice, text }] : [];
}

export const heldName = ({ shape, number }) => `held ${shape} ${number}`;

/** The moves on a board where any man may go anywhere: from each site an own man, else a man of the other side. */
function freeMoves(board) {
  const places = planOf(board.name, {}).sites;
  return Object.entries(board.men).flatMap(([origin, men]) => {
    const side = men[String(board.free)] ? board.free : Number(Object.keys(men)[0]);
    return places.filter((to) => to !== origin).map((to) =>
      ({ origin, to, choice: { side, from: origin, to }, text: `${origin}-${to}` }));
  });
}

/**
 * What can be picked now, as {origins, targets, takes, chosen, current, ways, claimed}; null if nobody chooses on this
 * board.
 * @param {State} state
 */
export function picking(state) {
  const { board } = state;
  if (!board || !personChooses(state) || asked(state)) {
    forget();
    return null;
  }
  const now = JSON.stringify([state.match.id, state.log?.at(-1)?.event]);
  if (now !== picked.moment) Object.assign(picked, NOTHING, { moment: now });
  const moves = board.free ? freeMoves(board) : (state.choices ?? []).flatMap(asMove);
  const origins = new Set(moves.map((move) => move.origin));
  if (picked.from !== null && !origins.has(picked.from)) picked.from = null;
  const { from, claimed, ways, refused } = picked;
  const targets = new Set(moves.filter((move) => move.origin === from).map((move) => move.to));
  const takes = new Set(board.claims?.length ? enemies(state) : []);
  return { moves, origins, targets, takes, chosen: claimed ?? from, current: stopOf(board, origins, takes), ways,
    claimed, refused, colour: moverOf(state) };
}

const moverOf = ({ board, awaits, watch }) =>
  colourOf(board.sides?.[awaits.player] ?? board.free, watch?.seating ?? {});

const asked = ({ ask, watch }) => Boolean(ask || watch?.ask);

/** The site at which Tab stops: where it stopped last, else the first that can be picked. */
function stopOf(board, origins, takes) {
  const first = picked.current ?? [...origins].find((site) => !site.startsWith("held"));
  return first ?? [...takes][0] ?? Object.keys(board.men)[0] ?? null;
}

const enemies = (state) =>
  Object.keys(state.board.men).filter((site) => state.board.men[site].colour !== own(state));

/** The colour of the player to move: player 1 has the white men. @param {State} state */
const own = (state) => (state.awaits.player === 1 ? "white" : "black");

/**
 * Pick a site: a man to move, his target, or an enemy to take; `redraw` shows the sites that this highlights.
 * @param {State} state
 */
export function pick(site, state, redraw) {
  const now = picking(state);
  if (!now) return;
  const { from } = picked;
  Object.assign(picked, NOTHING, { from });
  if (!site.startsWith("held")) picked.current = site;
  if (from !== null && now.targets.has(site)) {
    const found = now.moves.filter((move) => move.origin === from && move.to === site);
    if (found.length === 1) play(found[0]);
    else picked.ways = found;
  } else if (site === from) picked.from = null;
  else if (now.origins.has(site)) picked.from = site;
  else if (now.takes.has(site)) Object.assign(picked, { from: null, claimed: site });
  else if (from === null) picked.refused = site.startsWith("held") ? "" : t("moves.not_from", { site });
  else tellWhy(now.moves.find((move) => move.origin === from), site, redraw);
  redraw();
}

/** Ask the rules why a man may not go to a site, and show what they say; the man stays picked. */
async function tellWhy(known, site, redraw) {
  const { moment, from } = picked;
  let why;
  try {
    why = (await command("explain_choice", { text: known.text.replace(known.to, site) })).sentence;
  } catch (error) {
    why = error.message;
  }
  if (picked.moment !== moment || picked.from !== from) return; // something else is picked by now
  picked.refused = t("moves.not_to", { site, why });
  redraw();
}

/** Cancel the pick. */
export function letGo(redraw) {
  forget();
  redraw();
}

/** Make a move, only once even if it is requested several times. */
export async function play({ choice }) {
  if (picked.playing) return;
  picked.playing = true;
  await tryCommand("choose", { choice });
  picked.playing = false;
}
