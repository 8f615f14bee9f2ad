/** The beginning: a whole game plays itself in a minute while nobody is there; a touch anywhere leads to a match. */

import { drawDie } from "../table/dice.js";
import { BASE, byId, el, rebuild, setText } from "../page/dom.js";
import { marks, seal } from "../page/seal.js";
import { loadSetup, sendJson } from "../page/server.js";
import { say, t } from "../page/texts.js";

const REST = 9; // seconds for which the end of a game stays
const SLOW = 8; // throws to show one by one, as in the server's data
const TICK = 100; // ms between two checks of what is due; without a change the browser draws nothing
const HOLD_CAPTION = 3.2; // the least seconds for which a rule stays readable
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** What this page keeps from one step to the next. @type {Record<string, any>} */
const kept = {
  setup: null,
  game: null,
  place: Math.floor(Math.random() * 1000),
  shown: 0, // moments shown so far
  elapsed: 0, // seconds of the game so far
  last: null,
  held: false,
  captioned: -10,
  faces: {},
  scores: {},
  drawn: 0,
  opened: 0,
};
const once = new Set();

const cells = new Map([...document.querySelectorAll(".rim .virtue")].map((cell) => [cell.dataset.lot, cell]));

async function next() {
  const answer = await fetch(`${BASE}/api/kiosk/attract/${kept.place}`);
  kept.game = await answer.json();
  kept.place += 1;
  kept.shown = 0;
  kept.elapsed = 0;
  kept.captioned = -10;
  kept.faces = {};
  kept.scores = Object.fromEntries(Object.keys(kept.game.names).map((number) => [number, 0]));
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
  if (!rule && kept.elapsed - kept.captioned < HOLD_CAPTION) return;
  if (rule) kept.captioned = kept.elapsed;
  setText(byId("caption"), text);
}

const seals = () => marks(Object.entries(kept.game.names).map(([number, name]) => ({ number: Number(number), name })));

function apply(moment) {
  const cell = cells.get(moment.lot);
  const parts = { lot: moment.lot, virtue: cell.dataset.latin, english: cell.dataset.english,
    player: kept.game.names[moment.player], number: moment.number };
  kept.faces = moment.kind === "recast" || Object.keys(moment.faces).length > 1 ? { ...moment.faces }
    : { ...kept.faces, ...moment.faces };
  drawDice();
  if (moment.kind === "acquired") {
    kept.scores[moment.player] += 1;
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
  else if (acquiredSoFar() > 16 && kept.elapsed - kept.captioned > HOLD_CAPTION && first("pairs"))
    caption(t("kiosk.captions.pairs"));
  else if (moment.number > 300 && kept.elapsed - kept.captioned > HOLD_CAPTION && first("rare"))
    caption(t("kiosk.captions.rare"));
  else caption(t("kiosk.captions.won", parts), false);
}

function drawDice() {
  const dice = kept.setup.dice_sets[byId("dice").dataset.set].dice;
  byId("dice").replaceChildren(...dice.map((die) =>
    el("span", { class: "die-seen" }, drawDie(die, kept.faces[die.name] ?? null, null))));
}

const acquiredSoFar = () => Object.values(kept.scores).reduce((all, one) => all + one, 0);

function drawSide(throws) {
  const acquired = acquiredSoFar();
  const of = cells.size;
  rebuild(byId("players"), [kept.game.names, kept.scores], () => Object.entries(kept.game.names).map(([number, name]) =>
    el("li", { class: "player", "data-player": number }, seal(Number(number), seals()[number]),
      el("span", { class: "player-name" }, name),
      el("span", { class: "score" }, String(kept.scores[number]), " ",
        el("small", {}, t("players.score", { count: kept.scores[number] }))))));
  rebuild(byId("progress"), [acquired, throws], () => [
    el("progress", { max: of, value: acquired }),
    el("p", { class: "progress-text" }, el("span", {}, t("progress.virtues", { acquired, of })),
      el("span", {}, t("progress.throws", { throws, count: throws }))),
  ]);
}

/** The number of the current throw, between the moments that are shown. */
function passing() {
  const next = kept.game.moments[kept.shown];
  const before = kept.game.moments[kept.shown - 1];
  if (!next) return before?.number ?? 0;
  if (!before || next.number <= SLOW) return before?.number ?? 0;
  const share = Math.min(1, Math.max(0, (kept.elapsed - before.at) / (next.at - before.at || 1)));
  return Math.floor(before.number * (next.number / before.number) ** share);
}

function step() {
  const now = performance.now();
  const passed = kept.last === null ? 0 : Math.min(0.5, (now - kept.last) / 1000);
  kept.last = now;
  if (kept.game && !kept.held && !byId("begin").open) {
    kept.elapsed += passed;
    while (kept.shown < kept.game.moments.length
      && kept.game.moments[kept.shown].at <= kept.elapsed) apply(kept.game.moments[kept.shown++]);
    if (kept.elapsed - kept.drawn > 0.3 || kept.elapsed < kept.drawn) {
      kept.drawn = kept.elapsed;
      drawSide(passing());
    }
    if (kept.shown === kept.game.moments.length && !once.has("over")) end();
    if (kept.elapsed > kept.game.seconds + REST) {
      kept.game = null;
      next().catch(() => setTimeout(() => next().catch(() => {}), 5000));
    }
  }
}

function end() {
  once.add("over");
  for (const cell of cells.values()) cell.removeAttribute("data-pointed");
  caption(t("kiosk.captions.over",
    { throws: kept.game.throws, player: kept.game.teacher.map((number) => kept.game.names[number]).join(", ") }));
  setText(byId("told"), "");
}

/** For people who prefer no motion: the whole game at once, at its end. */
function still() {
  kept.elapsed = kept.game.seconds;
  while (kept.shown < kept.game.moments.length) apply(kept.game.moments[kept.shown++]);
  drawSide(kept.game.throws);
  end();
}

const sheet = byId("begin");

function openBegin() {
  if (sheet.open) return;
  kept.opened = performance.now();
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
    await sendJson(`${BASE}/api/kiosk/begin`, { game: offered().value, players });
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
  sheet.addEventListener("pointerdown", () => (kept.opened = performance.now()));
  sheet.addEventListener("keydown", () => (kept.opened = performance.now()));
  byId("begin-cancel").addEventListener("click", () => sheet.close());
  setInterval(() => sheet.open && performance.now() - kept.opened > 45000 && sheet.close(), 1000);
  document.addEventListener("click", (event) => event.target.closest("dialog, button, a, label") || openBegin());
  byId("begin-button").addEventListener("click", openBegin);
  byId("begin-button").disabled = false; // a tap before would be lost
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== document.body) return;
    event.preventDefault(); // else the same key would also press the newly focused element
    openBegin();
  });
  const hold = byId("hold");
  hold.addEventListener("click", () => {
    kept.held = !kept.held;
    setText(hold, t(kept.held ? "kiosk.go_on" : "kiosk.hold"));
  });
}

kept.setup = await loadSetup();
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
