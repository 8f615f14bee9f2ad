/** A course, step by step, or a problem: an idea, a task on the board, and what the rules say of what somebody does. */

import { described, drawBoard, onTurn, slide } from "../board/drawing.js";
import { asMove } from "../board/moves.js";
import { kinds, pickable, unmoved } from "./picking.js";
import { chooser, photographed } from "./photograph.js";
import { planOf, UNIT } from "../board/plans.js";
import { BASE, byId, el, setText } from "../page/dom.js";
import { brought, loadSetup, notice, send } from "../page/server.js";
import { hasText, t } from "../page/texts.js";
import { dieLabel, drawDie } from "../table/dice.js";

const PAUSE = 900; // ms between two moves that are shown

/**
 * What this page shows. `step`: counted from 0; `line`: the learner's acts; `now`: what they lead to; `from` and
 * `claimed`: the man picked to move, and the enemy to take; `refused`: why the last act is not allowed; `showing`: how
 * often a line has been shown, so that a newer one stops it; `helped`: whether the right line was shown.
 */
const kept = {
  course: /** @type {any} */ (null),
  dice: /** @type {any} */ ({}),
  step: 0,
  line: /** @type {string[]} */ ([]),
  now: /** @type {any} */ (null),
  from: /** @type {?string} */ (null),
  claimed: /** @type {?string} */ (null),
  refused: "",
  busy: false,
  showing: 0,
  helped: false,
};

const stepNow = () => kept.course.steps[kept.step];
const several = () => kept.course.steps.length > 1;

/** Begin a step. */
function open(number) {
  const { line, now } = kept.course.steps[number];
  Object.assign(kept, { step: number, line, now, from: null, claimed: null, refused: "", showing: kept.showing + 1 });
  if (several()) history.replaceState(null, "", `#${number + 1}`);
  draw();
  byId("lesson-acts").querySelector("button")?.focus();
}

/** Do one thing more; the rules answer. */
async function act(text) {
  if (kept.busy) return;
  kept.busy = true;
  const line = [...kept.line, text];
  try {
    const url = `${BASE}/api/${stepNow().address}?language=${document.documentElement.lang}`;
    const answer = await send(url, "application/json", JSON.stringify({ line }));
    take(await answer.json(), line);
  } catch (error) {
    notice(error.message);
  }
  kept.busy = false;
  draw(true);
  if (kept.now.reply) reply(kept.showing);
  if (kept.now.verdict === "done" && !kept.helped) document.dispatchEvent(new Event("solved"));
}

function take(now, line) {
  const refused = now.verdict === "refused";
  Object.assign(kept, { from: null, claimed: null, refused: refused ? now.sentence : "" });
  if (!refused) Object.assign(kept, { line, now });
}

/** After a pause, show what the other side does to a wrong line. */
async function reply(showing) {
  await new Promise((done) => setTimeout(done, PAUSE));
  if (showing !== kept.showing || !kept.now.reply) return;
  kept.now = { ...kept.now, ...kept.now.reply, reply: null, dice: kept.now.reply.dice ?? kept.now.dice };
  draw(true);
}

/** Play the best line, an act at a time. */
async function show() {
  kept.helped = true;
  open(kept.step);
  const { showing } = kept;
  for (const text of stepNow().best) {
    await new Promise((done) => setTimeout(done, PAUSE));
    if (showing !== kept.showing) return;
    if (kept.now.taps.length) await answer(text);
    else await act(text);
  }
}

const over = () => ["done", "wrong"].includes(kept.now.verdict);

function draw(moved = false) {
  const { course, now, step } = kept;
  if (several()) setText(byId("lesson-at"), t("lessons.at", { number: step + 1, count: course.steps.length }));
  setText(byId("lesson-idea"), stepNow().idea);
  setText(byId("lesson-task"), stepNow().task);
  const focused = /** @type {any} */ (document.activeElement)?.dataset?.focus;
  byId("lesson-dice").replaceChildren(...dice(now.dice));
  byId("lesson-acts").replaceChildren(...(over() && !now.taps.length ? [] : acts()), ...onward());
  const own = ownBoard();
  byId("lesson-ways").replaceChildren(...ways(own));
  if (byId("own-board")) byId("own-board").hidden = !own.length;
  const verdict = byId("lesson-verdict");
  verdict.dataset.verdict = kept.refused ? "refused" : now.verdict;
  setText(verdict, said());
  board(moved);
  refocus(focused);
  document.body.dataset.ready = `${step + 1} ${kept.line.length} ${verdict.dataset.verdict}`;
}

function said() {
  if (kept.refused) return kept.refused;
  const { verdict, sentence } = kept.now;
  return [hasText(`lessons.${verdict}`) ? t(`lessons.${verdict}`) : "", sentence ?? ""].join(" ").trim();
}

/** Give the focus back to what had it, or to the next thing to do. */
function refocus(focused) {
  if (document.activeElement !== document.body) return;
  const next = focused && document.querySelector(`[data-focus="${CSS.escape(focused)}"]`);
  (next || document.querySelector(".lesson .main-action") || document.querySelector(".lesson-acts button"))?.focus();
}

const button = (name, words, onclick, main = false) =>
  el("button", { type: "button", class: main ? "main-action" : null, "data-focus": name, onclick }, words);

/** What can be done beside the board: throw, answer, choose, name a capture. */
function acts() {
  const { now, claimed } = kept;
  if (now.taps.length) return now.taps.map(({ site, name }) =>
    button(`tap-${site}`, `${site} ${name}`.trim(), () => answer(site)));
  if (claimed) return [el("span", {}, t("lessons.by")), ...kinds(now, kept).map(({ key, words: said, text }) =>
    button(key, said, () => act(text)))];
  return [
    now.throws ? button("throw", t("lessons.throw"), () => act("throw"), true) : null,
    ...unmoved(now).map(({ text, choice }) =>
      button(`choice-${text}`, words(text, choice), () => act(text))),
  ].filter(Boolean);
}

const words = (text, { numeral, then }) => (numeral ? t(`lessons.${then === "stop" ? "stop" : "again"}`, { numeral })
  : hasText(`choices.words.${text}`) ? t(`choices.words.${text}`) : text);

/** An answer to a question takes the place of the one before. */
function answer(site) {
  kept.line = kept.line.filter((text) => text === "throw");
  return act(site);
}

/** What follows a line that is over. */
function onward() {
  const { course, now, step } = kept;
  const last = step + 1 === course.steps.length;
  const done = now.verdict === "done";
  return [
    done && !last ? button("next", t("lessons.next"), () => open(step + 1), true) : null,
    done && last ? el("a", { class: "button main-action", "data-focus": "play", href: byId("lesson-play").href },
      byId("lesson-play").textContent) : null,
    now.verdict === "wrong" && !now.taps.length ? button("retry", t("lessons.retry"), () => open(step), true) : null,
  ].filter(Boolean);
}

/** Where else to go. */
function ways(own) {
  const { now, step } = kept;
  return [
    kept.line.length > stepNow().line.length && now.verdict !== "wrong"
      ? button("again", t("lessons.retry"), () => open(step)) : null,
    now.verdict !== "done" && stepNow().best.length ? button("show", t("lessons.show"), show) : null,
    ...own,
    step ? button("back", t("lessons.back"), () => open(step - 1)) : null,
  ].filter(Boolean);
}

/** With one's own men: a picture of the board says what was done there. */
function ownBoard() {
  const { board: men, taps, throws } = kept.now;
  if (!kept.course.own_board || !men || taps.length || throws || over() || !byId("own-board")) return [];
  return [chooser("photograph", "image/*", (event) => onBoard(event.target.files[0])),
    button("camera", t("lessons.check_board"), () => onBoard())];
}

async function onBoard(file) {
  const { showing } = kept;
  notice(t("positions.reading"));
  try {
    const { acts: done, sentence } = await photographed(`${stepNow().address}/board`,
      kept.line.map((text) => ["act", text]), file);
    if (showing !== kept.showing) return;
    byId("notices").replaceChildren();
    if (sentence) notice(sentence);
    for (const text of done) await act(text);
  } catch (error) {
    notice(error.message);
  }
}

function dice(thrown) {
  const known = thrown ? kept.dice[thrown.set]?.dice ?? [] : [];
  const lying = known.filter((die) => die.name in thrown.faces);
  return lying.length ? [el("ul", { class: "dice-row" }, lying.map((die) => el("li", { class: "die-seen" },
    drawDie(die, thrown.faces[die.name], dieLabel(die, thrown.faces[die.name])))))] : [];
}

function board(moved) {
  const box = byId("lesson-board");
  const { now } = kept;
  box.hidden = !now.board;
  if (!now.board) return;
  const arrows = now.arrows?.length ? { arrows: now.arrows, kind: "hinted" } : { arrows: now.board.last, kind: "last" };
  box.replaceChildren(drawBoard(now.board, { ...arrows, label: `${t("lessons.board")}. ${described(now.board)}`,
    slides: moved, picking: over() ? null : pickable(now, kept, act, picked) }));
  crop(box.querySelector(".men-board.squares"));
  if (moved) slide(box);
}

/** Show of a long board only the ranks that a step plays on: those with men and the squares that they can reach. */
function crop(drawing) {
  if (!drawing) return;
  const start = stepNow().now;
  const used = [...Object.keys(start.board.men), ...start.choices.flatMap(asMove).map(({ to }) => to)];
  const { area, width, height } = planOf(start.board.name, {});
  const along = width < height ? "y" : "x";
  const end = Math.max(...used.map((site) => area(site)[along])) + UNIT;
  const [wide, high] = along === "x" ? [Math.min(width, end), height] : [width, Math.min(height, end)];
  drawing.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  drawing.style.width = `min(100%, ${(wide / high).toFixed(3)} * var(--tallest))`;
}

function picked(next) {
  Object.assign(kept, next, { refused: "" });
  draw();
}

try {
  const setup = await loadSetup();
  Object.assign(kept, { course: brought("course"), dice: setup.dice_sets });
  onTurn(() => draw());
  const wanted = Number(location.hash.slice(1));
  open(kept.course.steps[wanted - 1] ? wanted - 1 : 0);
} catch (error) {
  notice(error.message);
}
