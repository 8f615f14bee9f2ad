/** A match from its first event to its last: the slider, the buttons, the board after each event. */

import { chancesCurve } from "./curve.js";
import { described, drawBoard } from "../board/drawing.js";
import { showBoard, startBoard } from "./virtues.js";
import { dieLabel, drawDie } from "./dice.js";
import { openDispute } from "./dispute.js";
import { BASE, byId, el, rebuild, setText } from "../page/dom.js";
import { showPlayers } from "./players.js";
import { marks, seal } from "../page/seal.js";
import { opened } from "../page/opening.js";
import { fetched, notice, takeAway } from "../page/server.js";
import { number as written, readable, say, t } from "../page/texts.js";
import { showWheel } from "./wheel.js";
import { became, whoAndWhen } from "./event_words.js";

const BLOCK = 100; // lines per request
const AROUND = 4; // lines before and after the shown event
const SETTLED = 300; // ms at one event before the address names it
const KEPT = 300; // events whose boards stay in memory, so that going back and forth needs no request

const root = byId("replay");
const match = root.dataset.match;
const slider = byId("replay-slider");
const moments = new Map();
const blocks = new Map();
/** What this page keeps from one step to the next. @type {Record<string, any>} */
const kept = {
  count: Number(root.dataset.count),
  wanted: Number(root.dataset.number),
  shown: 0,
  busy: false,
  playing: null,
  settled: null,
  looking: false,
};

/** @type {TablePage} */
const page = {
  setup: null,
  sent: /** @type {any} */ (null),
  state: /** @type {any} */ (null),
  names: "",
  drawn: true,
  redraw() {},
  opened: new Set(),
  virtues: new Map(),
  virtue: (lot) => page.virtues.get(lot),
  name: (number) => page.state?.match?.players.find((player) => player.number === number)?.name ?? "",
  heldBy: (number) => [...page.virtues.values()].filter((virtue) => virtue.owner === number).sort((one, other) =>
    (one.throw ?? 0) - (other.throw ?? 0)),
};

const ofMatch = (path) => fetched(`${BASE}/api/matches/${match}/${path}`);

async function momentAt(number) {
  if (!moments.has(number)) {
    if (moments.size >= KEPT) moments.delete(moments.keys().next().value);
    moments.set(number, await ofMatch(`moments/${number}`));
  }
  return moments.get(number);
}

async function linesAround(number) {
  const first = Math.max(1, number - AROUND);
  const last = Math.min(kept.count, number + AROUND);
  const found = [];
  for (let block = Math.floor((first - 1) / BLOCK); block <= Math.floor((last - 1) / BLOCK); block += 1) {
    if (!blocks.has(block)) blocks.set(block,
      (await ofMatch(`moments?first=${block * BLOCK + 1}&count=${BLOCK}`)).moments);
    found.push(...blocks.get(block));
  }
  return found.filter((line) => line.moment >= first && line.moment <= last);
}

/** Show an event. During a request only the newest wish counts, so the slider can move as fast as anybody likes. */
async function go(number) {
  kept.wanted = Math.min(kept.count, Math.max(1, number));
  slider.value = kept.wanted;
  setText(byId("replay-at"), t("replay.at", { number: kept.wanted, count: kept.count }));
  if (kept.busy) return;
  kept.busy = true;
  try {
    while (kept.shown !== kept.wanted) {
      const next = kept.wanted;
      const [moment, lines] = [await momentAt(next), await linesAround(next)];
      if (next === kept.wanted || kept.playing !== null) draw(moment, lines);
      kept.shown = next;
    }
  } catch (error) {
    stop();
    notice(error.message);
  } finally {
    kept.busy = false;
  }
}

function draw(moment, lines) {
  /** @type {InMatch} */
  const state = { ...(/** @type {any} */ (readable(moment.state))), reading: null, state: "SYNCED", autoplay: false };
  page.state = state;
  page.virtues = new Map((state.virtues ?? []).map((virtue) => [virtue.id, virtue]));
  setText(byId("replay-when"), whoAndWhen(moment));
  setText(byId("replay-sentence"), say(moment.text));
  rebuild(byId("replay-since"), [moment.event, moment.since, moment.of], () => became(moment, () => go(moment.of)));
  slider.setAttribute("aria-valuetext",
    `${t("replay.at", { number: moment.moment, count: kept.count })}. ${say(moment.text)}`);
  drawMen(state);
  drawVirtues(state);
  drawDice(state);
  showPlayers(state, page);
  drawLines(lines, moment.moment, state);
  for (const [id, end] of [["first", 1], ["back", 1], ["on", kept.count], ["last", kept.count]])
    byId(`replay-${id}`).disabled = moment.moment === end;
  clearTimeout(kept.settled); // browsers limit the rate of address changes
  kept.settled = setTimeout(() => history.replaceState(null, "", `?event=${moment.event}`), SETTLED);
  Object.assign(root.dataset, { number: moment.moment, event: moment.event });
}

/** @param {State} state */
function drawMen(state) {
  const board = state.board ?? null;
  const text = byId("drawn");
  rebuild(byId("replay-men"), board,
    () => (board === null ? null : drawBoard(board, { arrows: board.last, kind: "last", label: described(board) })));
  text.hidden = board !== null || !state.drawn;
  setText(text, text.hidden ? "" : state.drawn);
}

/** @param {InMatch} state */
function drawVirtues(state) {
  const there = (state.virtues ?? []).length > 0;
  byId("stage").hidden = byId("board-switch").hidden = !there;
  if (!there) return;
  showBoard(state, page);
  showWheel(state, page);
}

/**
 * The dice beside the sentence; also large in the free middle of the rim, hidden from screen readers.
 */
function drawDice(state) {
  const thrown = state.throw;
  const row = () => {
    const known = thrown ? page.setup.dice_sets[thrown.set]?.dice ?? [] : [];
    const dice = known.filter((die) => die.name in thrown.faces);
    return dice.length === 0 ? null : el("ul", { class: "dice-row" }, dice.map((die) => el("li", { class: "die-seen" },
      drawDie(die, thrown.faces[die.name], dieLabel(die, thrown.faces[die.name])))));
  };
  rebuild(byId("replay-dice"), thrown, row);
  rebuild(byId("replay-large"), byId("stage").hidden ? null : thrown, row);
}

/** @param {InMatch} state */
function drawLines(lines, at, state) {
  const letters = marks(state.match.players);
  rebuild(byId("replay-lines"), [lines, at], () => lines.map((line) => el("li", {},
    el("button", { type: "button", class: "replay-line", "aria-current": line.moment === at ? "step" : null,
      "data-standing": line.since.standing, "data-focus": `line-${line.event}`, onclick: () => {
      stop();
      go(line.moment);
    } },
      line.player ? seal(line.player, letters[line.player] ?? "") : el("span", { class: "seal none" }),
      el("span", {}, line.move ? el("span", { class: "move" }, line.move) : null, " ", say(line.text))))));
}

function stop() {
  clearTimeout(kept.playing);
  kept.playing = null;
  const button = byId("replay-play");
  button.setAttribute("aria-pressed", "false");
  setText(button, t("replay.play"));
  byId("replay-sentence").setAttribute("aria-live", "polite");
}

async function play() {
  if (kept.playing !== null) return stop();
  const button = byId("replay-play");
  button.setAttribute("aria-pressed", "true");
  setText(button, t("replay.stop"));
  byId("replay-sentence").setAttribute("aria-live", "off"); // else a screen reader would never stop
  if (kept.wanted >= kept.count) await go(1);
  const step = async () => {
    await go(kept.wanted + 1);
    if (kept.playing === null) return;
    if (kept.wanted >= kept.count) stop();
    else kept.playing = setTimeout(step, Number(byId("replay-pace").value));
  };
  kept.playing = setTimeout(step, Number(byId("replay-pace").value));
  return null;
}

const by = (change) => () => {
  stop();
  go(change());
};
byId("replay-first").addEventListener("click", by(() => 1));
byId("replay-back").addEventListener("click", by(() => kept.wanted - 1));
byId("replay-on").addEventListener("click", by(() => kept.wanted + 1));
byId("replay-last").addEventListener("click", by(() => kept.count));
byId("replay-play").addEventListener("click", play);
slider.addEventListener("input", by(() => Number(slider.value)));
byId("replay-dispute").addEventListener("click", async () => {
  stop();
  const moment = await momentAt(kept.wanted);
  openDispute(moment.event, Number(match), page, { corrected: () => location.reload() });
});
byId("replay-export").addEventListener("click", () => takeAway(match));

/** Look the match over, a second at a time, so that it can be stopped. */
async function look() {
  kept.looking = !kept.looking;
  if (!kept.looking) return;
  const [button, progress] = [byId("look"), byId("look-progress")];
  const moves = [];
  setText(button, t("replay.look_stop"));
  progress.hidden = false;
  progress.value = 0;
  try {
    for (let next = 0; kept.looking && next !== null;) {
      const review = await ofMatch(`looked/${next}?language=${document.documentElement.lang}`);
      moves.push(...review.moves);
      next = review.next;
      progress.max = review.count;
      progress.value = next ?? review.count;
      byId("looked").replaceChildren(...lookedOver(moves, review.count));
    }
  } catch (error) {
    notice(error.message);
  }
  kept.looking = false;
  progress.hidden = true;
  setText(button, t("replay.look_over"));
}

/** The curve, the three turns that cost most, and luck apart from skill. */
function lookedOver(moves, count) {
  const { players } = page.state.match;
  const sum = (player, part) =>
    moves.filter((one) => one.player === player).reduce((all, one) => all + 100 * (one[part] ?? 0), 0);
  const costly = moves.filter((one) => one.cost > 0).sort((one, other) => other.cost - one.cost).slice(0, 3);
  const label = t("replay.chances", { player: players[0].name });
  const cost = (one) => el("li", {},
    el("button", { type: "button", class: "quiet", onclick: by(() => one.moment) },
      t("replay.cost", { player: page.name(one.player), turn: one.text, lost: written(100 * one.cost, 1) })),
    el("p", {}, t("replay.better", { turn: one.better }), " ", one.why.slice(0, 2).join(" ")));
  const luck = ({ number, name }) =>
    el("li", {}, t("replay.luck",
      { player: name, luck: written(sum(number, "luck"), 0), cost: written(sum(number, "cost"), 0) }));
  return [
    el("p", { class: "hint" }, label),
    chancesCurve(moves, count, label),
    ...(costly.length ? [el("ol", { class: "effects" }, costly.map(cost))] : []),
    el("ul", { class: "effects" }, players.map(luck)),
  ];
}
byId("look")?.addEventListener("click", look);

await opened(async (setup) => {
  page.setup = setup;
  startBoard(page);
  await go(kept.wanted);
});
