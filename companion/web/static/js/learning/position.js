/** A board to set up: men are put down and taken away; the rules say what is wrong, and what can be taken. */

import { described, drawBoard, onTurn } from "../board/drawing.js";
import { chooser, photographed } from "./photograph.js";
import { kinds, pickable, unmoved } from "./picking.js";
import { numberedMan, planOf } from "../board/plans.js";
import { BASE, byId, el, setText, svg } from "../page/dom.js";
import { handOn } from "../page/picture.js";
import { brought, download, loadSetup, notice, send, tryCommand } from "../page/server.js";
import { hasText, t } from "../page/texts.js";

/**
 * What this page shows. `data`: the position as it is set up, `good`: as the rules could read it last; `line`: what was
 * played from it; `now`: what the rules say; `tool`: the man that is put down next, or "remove"; `from`, `claimed`:
 * picked while playing; `seen`: the ways to understand a picture of the board, the one that is shown first.
 */
const kept = {
  data: /** @type {any} */ (null),
  good: /** @type {any} */ (null),
  start: /** @type {any} */ (null),
  men: /** @type {any[] | null} */ (null),
  line: /** @type {string[]} */ ([]),
  now: /** @type {any} */ (null),
  tool: /** @type {any} */ (null),
  from: /** @type {?string} */ (null),
  claimed: /** @type {?string} */ (null),
  playing: false,
  seen: /** @type {{position: any, sentence: string}[]} */ ([]),
};

const same = (one, other) => ["colour", "shape", "number"].every((name) => one[name] === other[name]);

let asked = Promise.resolve(); // one request after the other: each builds on what the one before led to

/** Ask the rules about the position and `change`d line; a refused act is left out. */
function judge(change = /** @type {(line: string[]) => string[]} */ (() => [])) {
  asked = asked.then(() => judged(change(kept.line)));
}

async function judged(line) {
  try {
    const answer = await send(`${BASE}/api/positions?language=${document.documentElement.lang}`, "application/json",
      JSON.stringify({ position: kept.data, line }));
    const now = await answer.json();
    const refused = now.refused !== null;
    Object.assign(kept, { now: refused && kept.now ? { ...kept.now, refused: now.refused } : now,
      line: refused ? kept.line : line, from: null, claimed: null });
    history.replaceState(null, "", `#${packed(kept.data)}`);
    kept.good = structuredClone(kept.data);
  } catch (error) {
    notice(error.message);
    kept.data = structuredClone(kept.good); // what nobody can set up is not kept
  }
  draw();
}

const packed = (data) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(data))))
  .replace(/[+]/g, "-").replace(/[/]/g, "_").replace(/=/g, "");

function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "\x2f")), (one) => one.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

function draw() {
  const { now, playing } = kept;
  if (!now) return;
  setText(byId("position-hint"), t(playing ? "positions.hint_play" : kept.men ? "positions.hint_men"
    : "positions.hint_set"));
  byId("position-tools").replaceChildren(...(playing ? [] : tools()));
  byId("position-acts").replaceChildren(...(playing ? acts() : fields()));
  byId("position-faults").replaceChildren(...now.faults.map((fault) => el("li", {}, fault)));
  setText(byId("position-said"), now.refused ?? now.outcome ?? (now.faults.length ? "" : now.awaits));
  byId("position-taking-heading").hidden = !now.taking.length;
  byId("position-taking").replaceChildren(...now.taking.map((said) => el("li", {}, said)));
  byId("position-ways").replaceChildren(...ways());
  const picking = playing ? pickable(now, kept, (text) => judge((line) => [...line, text]), picked) : anywhere();
  byId("lesson-board").replaceChildren(drawBoard(now.board, { arrows: now.board.last, kind: "last",
    label: described(now.board), picking }));
  document.body.dataset.ready = `${now.faults.length} ${kept.line.length}`;
}

/** The men that can be put down: of numbered men those who are not on the board yet, else one of each side. */
function tools() {
  const choose = (tool) => () => {
    kept.tool = tool;
    draw();
  };
  const pressed = (tool) => (JSON.stringify(tool) === JSON.stringify(kept.tool) ? "true" : "false");
  const tool = (key, value, ...content) => el("button", { type: "button", class: "position-tool", "data-focus": key,
    "aria-pressed": pressed(value), onclick: choose(value) }, ...content);
  const remove = tool("remove", "remove", t("positions.remove"));
  if (!kept.men) return [tool("light", "1", t("men.light")), tool("dark", "2", t("men.dark")), remove];
  const placed = Object.values(kept.data.men);
  const left = kept.men.filter((man) => {
    const at = placed.findIndex((other) => same(man, other));
    if (at >= 0) placed.splice(at, 1);
    return at < 0;
  });
  return [remove, ...left.map((man, n) => tool(`man-${man.colour}-${man.shape}-${man.number}-${n}`, man,
    el("span", { class: "unseen" }, t("men.numbered",
      { colour: t(`men.${man.colour}`), shape: t(`men.${man.shape}`), number: man.number })),
    svg("svg", { viewBox: "0 0 62 62", class: "small-man", "aria-hidden": "true" }, numberedMan(man, 31, 31))))];
}

/** Every site takes the man of the tool. */
function anywhere() {
  const { sites } = planOf(kept.now.board.name, {});
  return { origins: new Set(), targets: new Set(sites), takes: new Set(), chosen: null, current: sites[0],
    colour: "light", pick: put, cancel() {} };
}

function put(site) {
  const { tool, data } = kept;
  if (!tool) notice(t("positions.no_tool"));
  else if (kept.men) putNumbered(site, tool);
  else {
    for (const side of tool === "remove" ? ["1", "2"] : [tool])
      data.men[side][site] = Math.max(0, (data.men[side][site] ?? 0) + (tool === "remove" ? -1 : 1));
  }
  judge();
}

function putNumbered(site, tool) {
  delete kept.data.men[site];
  if (tool === "remove") return;
  kept.data.men[site] = tool;
  kept.tool = null;
}

/** Whose turn it is, and the dice that lie. */
function fields() {
  const { data } = kept;
  const turn = (side) => el("button", { type: "button", "aria-pressed": data.turn === side ? "true" : "false",
    "data-focus": `turn-${side}`, onclick: () => {
      data.turn = side;
      judge();
    } }, t("positions.turn", { side: t(`men.${(kept.men ? ["white", "black"] : ["light", "dark"])[side - 1]}`) }));
  return [turn(1), turn(2),
    kept.men ? null : el("label", { class: "field" }, el("span", {}, t("positions.dice")),
      el("input", { value: data.dice.join(" "), maxlength: 12, inputmode: "numeric", "data-focus": "dice",
        onchange: (event) => {
          data.dice = event.target.value.split(/\D+/).filter(Boolean).map(Number);
          judge();
        } })),
    el("button", { type: "button", "data-focus": "start", onclick: () => begin(kept.start) }, t("positions.start")),
    el("button", { type: "button", "data-focus": "clear", onclick: () => begin({ ...kept.start,
      men: kept.men ? {} : { 1: {}, 2: {} } }) }, t("positions.clear"))].filter(Boolean);
}

/** Begin with a position; of numbered men only those on the board are in play, so that few can be tried out. */
function begin(data) {
  kept.data = structuredClone(data);
  if (kept.men) for (const name of ["captured", "study"]) delete kept.data[name];
  judge();
}

/** While playing: throws, captures by name, and choices that move no man. */
function acts() {
  const { now, claimed, line } = kept;
  const act = (key, words, text) => el("button", { type: "button", "data-focus": key,
    onclick: () => judge((before) => [...before, text]) }, words);
  if (claimed) return kinds(now, kept).map(({ key, words, text }) => act(key, words, text));
  return [
    ...unmoved(now).map(({ text }) => act(`choice-${text}`,
      hasText(`choices.words.${text}`) ? t(`choices.words.${text}`) : text, text)),
    el("form", { class: "typed-choice", onsubmit: (event) => {
      event.preventDefault();
      const text = event.target.elements.act.value;
      judge((before) => [...before, text]);
    } }, el("input", { name: "act", maxlength: 80, required: true, "aria-label": t("positions.typed"),
      placeholder: t("positions.typed"), "data-focus": "typed" }),
    el("button", { type: "submit" }, t("positions.enter"))),
    el("button", { type: "button", "data-focus": "hint", onclick: hint }, t("choices.hint")),
    line.length ? el("button", { type: "button", "data-focus": "undo",
      onclick: () => judge((before) => before.slice(0, -1)) }, t("positions.undo")) : null,
  ].filter(Boolean);
}

/** What the program would do here, as far as it is still the position that was asked about. */
async function hint() {
  const { good, line } = kept;
  setText(byId("position-said"), t("choices.thinking"));
  try {
    const { lang } = document.documentElement;
    const answer = await send(`${BASE}/api/positions/hint?language=${lang}`, "application/json",
      JSON.stringify({ position: good, line }));
    const sentences = await answer.json();
    if (kept.line === line) setText(byId("position-said"), sentences.join(" "));
  } catch (error) {
    notice(error.message);
  }
}

function picked(next) {
  Object.assign(kept, next);
  draw();
}

/** Play on at the table, keep the position, hand it on. */
function ways() {
  const { now } = kept;
  const { position } = now;
  const play = (programs) => async () => {
    const seats = { game: position.game, players: ["", ""], position, programs, men_by: "tapped",
      dice_by: kept.men ? "tapped" : "program" };
    if (await tryCommand("new_match", seats)) location.assign(`${BASE}/`);
  };
  const button = (key, onclick) => el("button", { type: "button", "data-focus": key, onclick }, t(`positions.${key}`));
  return [
    ...(now.faults.length || now.outcome ? [] : [button("against", play([3 - now.player])), button("two", play([]))]),
    button("link", async () => {
      await navigator.clipboard?.writeText(location.href);
      notice(t("positions.linked"));
    }),
    button("save", save),
    button("picture", picture),
    chooser("open", "application/json,.json", open),
    chooser("photograph", "image/*", (event) => photograph(event.target.files[0])),
    button("camera", () => photograph()),
    kept.seen.length > 1 ? button("other_way", () => {
      kept.seen = [...kept.seen.slice(1), ...kept.seen.slice(0, 1)];
      photographedNow();
    }) : null,
  ].filter(Boolean);
}

/** Take the position from a photograph, or without one from the camera. */
async function photograph(file) {
  notice(t("positions.reading"));
  try {
    kept.seen = await photographed("positions/photographed", [["game", kept.start.game]], file);
    photographedNow();
  } catch (error) {
    notice(error.message);
  }
}

function photographedNow() {
  const [{ position, sentence }] = kept.seen;
  begin(position);
  notice(sentence);
}

async function save() {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(kept.now.position, null, 1)}\n`]));
  await download(url, "position.json");
  URL.revokeObjectURL(url);
}

const PIXELS = 10; // of the picture for a unit of the drawing: as wide as a screen

async function picture() {
  try {
    const answer = await send(`${BASE}/api/positions/picture`, "application/json",
      JSON.stringify({ position: kept.now.position }));
    const drawn = await answer.text();
    const [, wide, high] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(drawn) ?? [];
    const [width, height] = [Math.round(PIXELS * Number(wide)), Math.round(PIXELS * Number(high))];
    const sized = drawn.replace("<svg", `<svg width="${width}" height="${height}"`); // Firefox draws no other
    const url = URL.createObjectURL(new Blob([sized], { type: "image/svg+xml" }));
    await handOn(url, [width, height], "position.png");
    URL.revokeObjectURL(url);
  } catch (error) {
    notice(error.message);
  }
}

async function open(event) {
  try {
    take(JSON.parse(await event.target.files[0].text()));
  } catch {
    notice(t("positions.no_position"));
  }
}

/** Show a position that came from elsewhere; of another game, on that game's page. */
function take(data) {
  if (data.game === kept.start.game) begin(data);
  else location.assign(`${BASE}/position?game=${encodeURIComponent(data.game)}#${packed(data)}`);
}

try {
  await loadSetup();
  const { start, men } = brought("position");
  Object.assign(kept, { start, men, good: start });
  onTurn(draw);
  byId("position-game").addEventListener("change", (event) => event.target.form.submit());
  byId("position-mode").addEventListener("change", (event) => {
    kept.playing = event.target.value === "play";
    judge();
  });
  let data = start;
  try {
    if (location.hash.length > 1) data = unpacked(location.hash.slice(1));
  } catch {
    notice(t("positions.no_position"));
  }
  take(data);
} catch (error) {
  notice(error.message);
}
