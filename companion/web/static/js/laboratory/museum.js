/**
 * The museum's page: a visitor throws three dice, watches the evidence grow, guesses which is which, and sees the
 * answer.
 */

import { BASE, byId, el, rebuild, setText } from "../page/dom.js";
import { drawDie, drawPile } from "./museum_dice.js";
import { startIdle } from "./museum_idle.js";
import { startShow } from "./museum_show.js";
import { bars, evidence } from "./plots.js";
import { loadLaboratory } from "./server.js";
import { follow } from "../page/live.js";
import { opened } from "../page/opening.js";
import { attempt, fetched, sendJson } from "../page/server.js";
import { number, t } from "../page/texts.js";

const NAMES = ["I", "II", "III"];
const FACES = ["1", "2", "3", "4", "5", "6"];
const CUBE = [1, 1, 1];
const WATCHED = 1600; // ms for many throws by the machine, so that visitors see the evidence grow
const LEAST = 40; // throws of a die before the page says anything about it
const COURSE = 480; // the most points of a die's course to keep

const about = JSON.parse(byId("museum").dataset.museum);
/** What this page keeps from one step to the next. @type {Record<string, any>} */
const kept = {
  dice: [], // in the order on the table: {name, chances, edges, bet, last, byProgram}
  chosen: null, // an index in dice
  guesses: {}, // by index, the name of a die of the museum
  told: false,
  busy: false,
  camera: false,
  seen: null, // the newest throw of the camera that was counted
  series: null, // the series to which this number belongs
};

/**
 * What the laboratory says of a die with these counts, and after each further throw, given as the index of a face:
 * [{value, low, high}], the logarithm of the bet's wealth and the ends of the intervals.
 */
async function looks(counts, places = []) {
  return (await fetched(`${BASE}/lab/api/museum/evidence?counts=${counts}&places=${places}`)).looks;
}

/** The throws of a die, and what the laboratory says of it; `called`: the throw at which it was first biased. */
const nothing = () => ({ counts: FACES.map(() => 0), whole: 0, value: 0, low: FACES.map(() => 0),
  high: FACES.map(() => 1), called: null, course: [] });

/** The dice in an order that nobody knows. */
function shuffled() {
  const order = [...about.dice];
  for (let n = order.length - 1; n > 0; n -= 1) {
    const other = crypto.getRandomValues(new Uint32Array(1))[0] % (n + 1);
    [order[n], order[other]] = [order[other], order[n]];
  }
  return order;
}

/** Shuffle the dice; under a camera the real dice are in the order of the file. */
function begin() {
  kept.dice = (kept.camera ? about.dice : shuffled()).map((die) =>
    ({ ...die, bet: nothing(), last: "6", byProgram: 0 }));
  kept.chosen = null;
  kept.guesses = {};
  kept.told = false;
  setText(byId("museum-said"), "");
  draw();
}

/** Whether a visitor has done anything that the next one should not see. */
const touched = () => kept.chosen !== null || kept.told || Object.keys(kept.guesses).length > 0;

function draw() {
  drawDice();
  drawThrowing();
  drawPlots();
  drawGuess();
  byId("again").disabled = !touched();
}

function drawDice() {
  byId("museum-invitation").hidden = kept.chosen !== null || kept.told;
  byId("museum").classList.toggle("inviting", kept.chosen === null && !kept.told);
  rebuild(byId("three-dice"), [kept.dice.map(({ name, last, bet }) => [name, last, bet.whole]), kept.chosen,
    kept.told, kept.camera], () => kept.dice.map((die, n) =>
    el("button", { type: "button", class: "museum-choice", "data-focus": `die-${n}`,
      "aria-pressed": kept.chosen === n ? "true" : "false", onclick: () => choose(n) },
      drawDie(kept.told ? die : { edges: CUBE }, die.last), // a long one would give the answer away
      el("span", { class: "choice-words" }, el("strong", {}, t("museum.die", { name: NAMES[n] })),
      el("small", {}, die.bet.whole ? t("museum.thrown", { count: die.bet.whole }) : t("museum.not_thrown"))),
      drawPile(die.bet.counts, die.bet.value))));
}

function choose(n) {
  kept.chosen = n;
  draw();
  setText(byId("museum-said"), t("museum.chosen", { name: NAMES[n] }));
}

function drawThrowing() {
  byId("throwing").hidden = kept.chosen === null;
  if (kept.chosen === null) return;
  setText(byId("throwing-heading"), t("museum.throw_heading", { name: NAMES[kept.chosen] }));
  for (const button of document.querySelectorAll("[data-throws]")) button.disabled = kept.busy || kept.told;
  byId("under-camera").hidden = !kept.camera;
  const { bet } = kept.dice[kept.chosen];
  setText(byId("museum-verdict"),
    bet.called ? t("museum.called", { name: NAMES[kept.chosen], throws: bet.called })
      : bet.whole < LEAST ? t("museum.too_few", { name: NAMES[kept.chosen] })
        : t("museum.open", { name: NAMES[kept.chosen], count: bet.whole }));
  byId("museum-verdict").dataset.called = bet.called ? "yes" : "no";
}

function drawPlots() {
  byId("museum-plots").hidden = kept.chosen === null;
  if (kept.chosen === null) return;
  const { bet } = kept.dice[kept.chosen];
  setText(byId("bars-of"), t("museum.bars", { name: NAMES[kept.chosen] }));
  byId("museum-bars").replaceChildren(bars({ labels: FACES, fair: about.fair, ...bet },
    { label: t("museum.bars_said",
      { name: NAMES[kept.chosen], counts: FACES.map((face, n) => t("museum.face_count", { face, count: bet.counts[n] }))
        .join(", ") }) }));
  byId("museum-evidence").replaceChildren(
    evidence(kept.dice.map((die, n) => ({ throws: die.bet.course.map(([at]) => at), values:
      die.bet.course.map(([, value]) => value), name: die.bet.whole ? NAMES[n] : "" })), about.needed,
      { label: t("museum.evidence_said", { one: fortune(0), two: fortune(1), three: fortune(2) }), least: 60 }));
}

const fortune = (n) => number(Math.exp(Math.min(25, kept.dice[n].bet.value)), kept.dice[n].bet.value < 2 ? 1 : 0);

/** A throw by the machine: a random face with the die's chances. */
function cast({ chances }) {
  let rest = crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
  for (let place = 0; place < chances.length; place += 1) {
    rest -= chances[place];
    if (rest < 0) return place;
  }
  return chances.length - 1;
}

/** Count a throw, after which the laboratory says `look`. */
function count(die, place, look, byProgram) {
  const { bet } = die;
  bet.counts[place] += 1;
  bet.whole += 1;
  Object.assign(bet, look);
  if (bet.value >= about.needed) bet.called ??= bet.whole;
  bet.course.push([bet.whole, bet.value]);
  if (bet.course.length > COURSE) bet.course = bet.course.filter((_, n) => n % 2 === 1);
  die.last = FACES[place];
  if (byProgram) die.byProgram += 1;
}

let counted = Promise.resolve();

/** Do what counts throws, one such thing after the other: each needs the counts that the one before left. */
const inTurn = (work) => (counted = counted.then(() => attempt(work)));

/** Let the machine throw several times; many throws take a moment, so that visitors can follow. */
async function throwOften(times) {
  if (kept.busy || kept.chosen === null || kept.told) return;
  kept.busy = true;
  await inTurn(() => thrown(kept.dice[kept.chosen], kept.chosen, times));
  kept.busy = false;
  draw();
}

async function thrown(die, n, times) {
  const places = Array.from({ length: times }, () => cast(die));
  const [, ...after] = await looks(die.bet.counts, places);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || times === 1;
  const began = performance.now();
  for (let made = 0; made < times; ) {
    const due = still ? times : Math.min(times, Math.ceil((times * (performance.now() - began + 16)) / WATCHED));
    for (; made < due; made += 1) count(die, places[made], after[made], true);
    draw();
    if (made < times) await new Promise((done) => requestAnimationFrame(done));
  }
  setText(byId("museum-said"),
    times === 1 ? t("museum.fell", { face: die.last, name: NAMES[n] })
      : t("museum.fell_many", { count: die.bet.whole, name: NAMES[n] }));
}

function drawGuess() {
  const thrown = kept.dice.some(({ bet }) => bet.whole > 0);
  byId("guess").hidden = !thrown || kept.told;
  byId("reveal").hidden = !kept.told;
  rebuild(byId("guess-rows"), kept.dice.map(({ name }) => name), () => kept.dice.map((_, n) =>
    el("fieldset", { class: "guess-row" }, el("legend", {}, t("museum.guess_of", { name: NAMES[n] })),
      el("div", { class: "switch" }, about.dice.map(({ name }) => el("label", {},
        el("input", { type: "radio", name: `guess-${n}`, value: name, onchange: () => {
          kept.guesses[n] = name;
          byId("tell").disabled = Object.keys(kept.guesses).length < kept.dice.length;
        } }), el("span", {}, t(`museum.kind_${name}`))))))));
  byId("tell").disabled = Object.keys(kept.guesses).length < kept.dice.length;
}

/** Show which die is which, with the story of each. */
async function reveal() {
  kept.told = true;
  const right = kept.dice.filter(({ name }, n) => kept.guesses[n] === name).length;
  byId("reveal-dice").replaceChildren(...kept.dice.map((die, n) => el("article", { class: "leaf revealed" },
    drawDie(die, die.last),
    el("h3", {}, t(`museum.is_${die.name}`, { name: NAMES[n] })),
    el("p", { class: "guessed" },
      t(kept.guesses[n] === die.name ? "museum.right" : "museum.wrong",
        { guess: t(`museum.kind_${kept.guesses[n]}`) })),
    el("p", {}, t(`museum.story_${die.name}`)),
    die.typical ? el("p", {}, t("museum.typical", { throws: die.typical })) : null,
    die.byProgram ? el("p", { class: "hint" },
      t("museum.chances", { count: die.byProgram,
        chances: FACES.map((face, place) => t("museum.chance", { face, percent: number(die.chances[place] * 100, 1) }))
          .join("; ") })) : null)));
  setText(byId("reveal-line"), t(right ? "museum.result" : "museum.result_none", { count: right }));
  const counts = Object.fromEntries(kept.dice.filter(({ bet }) => bet.whole).map(({ name, bet }) =>
    [name, bet.counts]));
  draw();
  byId("reveal-line").focus();
  showDay(await hand(counts));
}

/** Add the counts to the day's counts, where they belong to no visitor. */
async function hand(counts) {
  for (const die of kept.dice) die.handed = true;
  try {
    return await sendJson(`${BASE}/lab/api/museum/day`, { counts });
  } catch {
    return null; // a failure of the day's counts does not concern a visitor
  }
}

function showDay(day) {
  byId("day").replaceChildren(...about.dice.filter(({ name }) => day?.counts[name]).map(({ name }) =>
    el("div", {}, el("dt", {}, t(`museum.kind_${name}`)),
      el("dd", {}, t(day.biased.includes(name) ? "museum.day_called" : "museum.day_open",
        { count: day.counts[name].reduce((all, one) => all + one, 0) })))));
  byId("day-of-all").hidden = !day;
}

/** Start over, for the same visitor or the next. */
function again() {
  const counts = Object.fromEntries(kept.dice.filter(({ bet, handed }) => bet.whole && !handed).map(({ name, bet }) =>
    [name, bet.counts]));
  if (Object.keys(counts).length) hand(counts);
  begin();
  window.scrollTo(0, 0);
  byId("three-dice").querySelector("button").focus();
}

/** The throws under the camera since the last state, the oldest first; of a series that has just opened none. */
function newThrows(now) {
  if ((now?.id ?? null) !== kept.series) [kept.series, kept.seen] = [now?.id ?? null, null];
  const last = (now?.last ?? []).filter((one) => one.how === "camera");
  const before = kept.seen;
  kept.seen = Math.max(kept.seen ?? 0, ...last.map(({ number: at }) => at));
  if (before === null) return [];
  return last.filter(({ number: at, outcome }) => at > before && FACES.includes(outcome)).reverse();
}

/** Count throws under the camera for a die. */
async function countSeen(die, n, places) {
  const [, ...after] = await looks(die.bet.counts, places);
  places.forEach((place, made) => count(die, place, after[made], false));
  draw();
  setText(byId("museum-said"), t("museum.fell", { face: die.last, name: NAMES[n] }));
}

/** Count the throws under the camera for the chosen die. @param {SeriesState} state */
function onState(state) {
  const live = Boolean(state.camera?.source);
  if (live !== kept.camera) {
    kept.camera = live;
    if (!touched()) begin();
    else draw();
  }
  const fresh = newThrows(state.series);
  if (!fresh.length || kept.told) return;
  if (kept.chosen === null) {
    setText(byId("museum-said"), t("museum.choose_first"));
    return;
  }
  document.dispatchEvent(new Event("alea:thrown"));
  const [die, n] = [kept.dice[kept.chosen], kept.chosen];
  inTurn(() => countSeen(die, n, fresh.map(({ outcome }) => FACES.indexOf(outcome))));
}

await opened(() => {
  begin();
  for (const button of document.querySelectorAll("[data-throws]"))
    button.addEventListener("click", () => throwOften(Number(button.dataset.throws)));
  byId("tell").addEventListener("click", reveal);
  byId("again").addEventListener("click", again);
  byId("once-more").addEventListener("click", again);
  startShow({ shuffled, cast, cube: CUBE, waits: () => !touched() && !kept.camera,
    after: (places) => looks(nothing().counts, places) });
  startIdle({ idle: about.idle, countdown: about.countdown, touched, again });
  follow(onState, () => {});
}, loadLaboratory);
