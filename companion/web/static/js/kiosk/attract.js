/** The beginning: a whole game plays itself in a minute while nobody is there; a touch anywhere leads to a match. */

import { drawDie } from "../table/dice.js";
import { BASE, byId, el, rebuild, setText } from "../page/dom.js";
import { marks, seal } from "../page/seal.js";
import { loadSetup, send } from "../page/server.js";
import { say, t } from "../page/texts.js";

const REST = 9; // seconds for which the end of a game stays
const SLOW = 8; // throws to show one by one, as in the server's data
const TICK = 100; // ms between two looks at what is due; without a change the browser draws nothing
const HOLD_CAPTION = 3.2; // the least seconds for which a rule stays readable
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

let setup = null;
let game = null;
let place = Math.floor(Math.random() * 1000);
let shown = 0; // moments shown so far
let elapsed = 0; // seconds of the game so far
let last = null;
let held = false;
let captioned = -10;
let faces = {};
let scores = {};
const once = new Set();

const cells = new Map([...document.querySelectorAll(".rim .virtue")].map((cell) => [cell.dataset.lot, cell]));

async function next() {
  const answer = await fetch(`${BASE}/api/kiosk/attract/${place}`);
  game = await answer.json();
  place += 1;
  shown = 0;
  elapsed = 0;
  captioned = -10;
  faces = {};
  scores = Object.fromEntries(Object.keys(game.names).map((number) => [number, 0]));
  once.clear();
  for (const cell of cells.values()) {
    delete cell.dataset.owner;
    cell.classList.remove("won");
    cell.querySelector(".throw-number").textContent = "";
    cell.querySelector(".seal").textContent = "";
  }
  setText(byId("told"), "");
  caption(t("kiosk.captions.begin"));
  drawSide(0);
}

/** A rule stays long enough for reading; the caption of a mere event gives way to the next event. */
function caption(text, rule = true) {
  if (!rule && elapsed - captioned < HOLD_CAPTION) return;
  if (rule) captioned = elapsed;
  setText(byId("caption"), text);
}

const seals = () => marks(Object.entries(game.names).map(([number, name]) => ({ number: Number(number), name })));

function apply(moment) {
  const cell = cells.get(moment.lot);
  const parts = { lot: moment.lot, virtue: cell.dataset.latin, english: cell.dataset.english,
    player: game.names[moment.player], number: moment.number };
  faces = moment.kind === "recast" || Object.keys(moment.faces).length > 1 ? { ...moment.faces }
    : { ...faces, ...moment.faces };
  drawDice();
  if (moment.kind === "acquired") {
    scores[moment.player] += 1;
    cell.dataset.owner = moment.player;
    cell.classList.add("won");
    cell.querySelector(".throw-number").textContent = moment.number;
    cell.querySelector(".seal").textContent = seals()[moment.player];
  }
  for (const other of cells.values()) other.toggleAttribute("data-pointed", other === cell);
  setText(byId("told"), say(moment.sentence));
  explain(moment, parts);
}

/** The rules, one at a time, each when the game shows it. */
function explain(moment, parts) {
  const first = (name) => !once.has(name) && once.add(name);
  if (moment.number <= SLOW) {
    if (moment.kind === "acquired") caption(t("kiosk.captions.wins", parts));
    else if (moment.kind === "held") caption(t("kiosk.captions.held", parts));
    else if (first("points")) caption(t("kiosk.captions.points", parts));
    else if (first("misses")) caption(t("kiosk.captions.misses"));
    else caption(t("kiosk.captions.again", parts));
  } else if (first("quick")) caption(t("kiosk.captions.quick"));
  else if (acquiredSoFar() > 16 && elapsed - captioned > HOLD_CAPTION && first("pairs"))
    caption(t("kiosk.captions.pairs"));
  else if (moment.number > 300 && elapsed - captioned > HOLD_CAPTION && first("rare"))
    caption(t("kiosk.captions.rare"));
  else caption(t("kiosk.captions.won", parts), false);
}

function drawDice() {
  const dice = setup.dice_sets.wibold.dice;
  byId("dice").replaceChildren(...dice.map((die) =>
    el("span", { class: "die-seen" }, drawDie("wibold", die, faces[die.name] ?? null, null))));
}

const acquiredSoFar = () => Object.values(scores).reduce((all, one) => all + one, 0);

function drawSide(throws) {
  const acquired = acquiredSoFar();
  const of = cells.size;
  rebuild(byId("players"), [game.names, scores], () => Object.entries(game.names).map(([number, name]) =>
    el("li", { class: "player", "data-player": number }, seal(Number(number), seals()[number]),
      el("span", { class: "player-name" }, name),
      el("span", { class: "score" }, String(scores[number]), " ",
        el("small", {}, t("players.score", { count: scores[number] }))))));
  rebuild(byId("progress"), [acquired, throws], () => [
    el("progress", { max: of, value: acquired }),
    el("p", { class: "progress-text" }, el("span", {}, t("progress.virtues", { acquired, of })),
      el("span", {}, t("progress.throws", { throws, count: throws }))),
  ]);
}

/** The number of the current throw, between the moments that are shown. */
function passing() {
  const next = game.moments[shown];
  const before = game.moments[shown - 1];
  if (!next) return before?.number ?? 0;
  if (!before || next.number <= SLOW) return before?.number ?? 0;
  const share = Math.min(1, Math.max(0, (elapsed - before.at) / (next.at - before.at || 1)));
  return Math.floor(before.number * (next.number / before.number) ** share);
}

let drawn = 0;

function step() {
  const now = performance.now();
  const passed = last === null ? 0 : Math.min(0.5, (now - last) / 1000);
  last = now;
  if (game && !held && !byId("begin").open) {
    elapsed += passed;
    while (shown < game.moments.length && game.moments[shown].at <= elapsed) apply(game.moments[shown++]);
    if (elapsed - drawn > 0.3 || elapsed < drawn) {
      drawn = elapsed;
      drawSide(passing());
    }
    if (shown === game.moments.length && !once.has("over")) end();
    if (elapsed > game.seconds + REST) {
      game = null;
      next().catch(() => setTimeout(() => next().catch(() => {}), 5000));
    }
  }
}

function end() {
  once.add("over");
  for (const cell of cells.values()) cell.removeAttribute("data-pointed");
  caption(t("kiosk.captions.over",
    { throws: game.throws, player: game.teacher.map((number) => game.names[number]).join(", ") }));
  setText(byId("told"), "");
}

/** For people who prefer no motion: the whole game at once, at its end. */
function still() {
  elapsed = game.seconds;
  while (shown < game.moments.length) apply(game.moments[shown++]);
  drawSide(game.throws);
  end();
}

const sheet = byId("begin");
let opened = 0;

function openBegin() {
  if (sheet.open) return;
  opened = performance.now();
  setText(byId("begin-wrong"), "");
  drawCounts();
  sheet.showModal();
  byId("counts").querySelector("button:not([hidden])").focus();
}

const offered = () => sheet.querySelector("input[name=game]:checked");

function drawCounts() {
  const counts = offered().dataset.counts.split(" ");
  for (const button of byId("counts").children) button.hidden = !counts.includes(button.dataset.count);
}

async function begin(players) {
  try {
    await send(`${BASE}/api/kiosk/begin`, "application/json", JSON.stringify({ game: offered().value, players }));
    location.replace(`${BASE}/`);
  } catch (error) {
    setText(byId("begin-wrong"), error.message);
  }
}

function listen() {
  sheet.addEventListener("change", drawCounts);
  byId("counts").addEventListener("click", (event) => {
    const button = event.target.closest("[data-count]");
    if (button) begin(Number(button.dataset.count));
  });
  sheet.addEventListener("pointerdown", () => (opened = performance.now()));
  sheet.addEventListener("keydown", () => (opened = performance.now()));
  byId("begin-cancel").addEventListener("click", () => sheet.close());
  setInterval(() => sheet.open && performance.now() - opened > 45000 && sheet.close(), 1000);
  document.addEventListener("click", (event) => event.target.closest("dialog, button, a, label") || openBegin());
  byId("begin-button").addEventListener("click", openBegin);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== document.body) return;
    event.preventDefault(); // else the same key would also press the newly focused element
    openBegin();
  });
  const hold = byId("hold");
  hold.addEventListener("click", () => {
    held = !held;
    setText(hold, t(held ? "kiosk.go_on" : "kiosk.hold"));
  });
}

setup = await loadSetup();
listen();
drawDice();
if (byId("attract").dataset.attract === "yes") {
  await next();
  if (STILL.matches) still();
  else {
    byId("hold").hidden = false;
    setInterval(step, TICK);
  }
}
document.body.dataset.ready = "yes";
