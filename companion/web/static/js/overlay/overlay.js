/** Board, dice, scores, the last verdict and what is awaited: over a video stream, or for spectators. */

import { described, drawBoard } from "../board/drawing.js";
import { dieLabel, drawDie } from "../table/dice.js";
import { byId, el, rebuild, setText } from "../page/dom.js";
import { follow } from "../page/live.js";
import { marks, seal, wearMen } from "../page/seal.js";
import { loadSetup } from "../page/server.js";
import { readable, say, t, translated } from "../page/texts.js";

const { parts = "", delay } = document.body.dataset;
const wanted = new Set(parts.split(" "));
const wait = Number(delay) * 1000; // ms by which a stream's picture is behind the table

/** Show a part if the address wants it and there is something in it. */
function show(id, there) {
  byId(id).hidden = !there || !wanted.has(id);
  return !byId(id).hidden;
}

function showBoard({ board, match, watch }) {
  if (!show("men", board)) return;
  const options = { lies: watch?.seating?.lies, colours: watch?.seating?.colours, arrows: board.last, kind: "last" };
  rebuild(byId("men"), [match?.id, board, watch?.seating],
    () => drawBoard(board, { ...options, label: described(board, options) }));
}

function showDice({ throw: thrown, match }, setup) {
  if (!show("dice", match && thrown)) return;
  const set = thrown.set ?? match.dice_sets[0];
  const known = setup.dice_sets[set]?.dice ?? [];
  rebuild(byId("dice"), thrown, () => Object.entries(thrown.faces).map(([name, face]) => {
    const die = known.find((entry) => entry.name === name) ?? { name, shape: "cube", counts: "up", faces: [] };
    return el("li", {}, drawDie(die, face, dieLabel(die, face)));
  }));
}

function showPlayers({ match, awaits, outcome, board, watch, other_table: other }) {
  const players = match?.players ?? [];
  if (!show("players", players.length)) return;
  const turn = outcome ? null : awaits?.player;
  const letters = marks(players);
  wearMen(players, board, watch?.seating);
  const there = wanted.has("awaited") ? (other?.players ?? []) : [];
  rebuild(byId("players"), [players, turn, outcome?.winners, there], () => players.map((player) =>
    el("li", { "data-turn": player.number === turn ? "yes" : null,
      "data-won": outcome?.winners.includes(player.number) ? "yes" : null },
      seal(player.number, letters[player.number]), el("span", {}, player.name,
        there.includes(player.number) ? el("small", {}, t("players.there")) : null,
        player.number === turn && wanted.has("awaited") ? el("small", { class: "turn" }, t("players.turn")) : null),
      el("strong", {}, String(player.score)))));
}

function showVerdict({ match, outcome, throw: thrown, awaits }) {
  const words = say(outcome?.why ?? thrown?.sentence ?? (wanted.has("awaited") ? null : awaits?.sentence));
  if (show("verdict", match && words)) setText(byId("verdict"), words);
}

/** What the match waits for: another table, the end of a pause, or somebody's turn. @param {State} state */
function waitsFor({ match, awaits, other_table: other }) {
  if (document.body.dataset.link === "lost") return t("status.lost");
  if (!match) return t("status.no_match");
  return match.paused ? say(other?.sentence) || t("status.paused") : say(other?.awaited ?? awaits?.sentence);
}

/** @param {State} state */
function showAwaited(state) {
  if (!wanted.has("awaited")) return;
  const { match, outcome } = state;
  byId("awaited").dataset.waits = match?.paused ? "yes" : "no";
  if (show("awaited", !outcome)) setText(byId("awaited"), waitsFor(state));
  setText(byId("name"), match ? `${match.name} · ${translated(match.title)}` : t("page.brand"));
}

let shown = null;

function draw(sent, setup) {
  const state = (shown = readable(sent));
  showBoard(state);
  showDice(state, setup);
  showPlayers(state);
  showVerdict(state);
  showAwaited(state);
  document.body.dataset.ready = String(state.version);
}

const setup = await loadSetup();
follow((state) => setTimeout(draw, wait, state, setup), (link) => {
  document.body.dataset.link = link;
  if (shown) showAwaited(shown);
});
