/**
 * What the camera sees beside what the referee knows: the live picture, the drawn dice and men, and their differences.
 */

import { described, drawBoard, sayMen } from "../board/drawing.js";
import { dieLabel, dieName, drawDie, sureness } from "./dice.js";
import { BASE, byId, el, rebuild, remember, remembered } from "../page/dom.js";
import { say, t } from "../page/texts.js";

const KEY = "alea.beside";
let opened = remembered(KEY); // the match in which somebody opened it; in the next match it is closed again
let started = false;

/** The cameras with a picture to show. @param {State} state */
const cameras = (state) => [
  state.camera.picture !== null && state.camera.picture !== undefined
    ? { name: "table", version: state.camera.picture, caption: state.camera.sentence }
    : null,
  state.two_cameras && state.watch?.picture ? { name: "board", version: state.watch.picture, caption: null } : null,
].filter(Boolean);

/** @param {TablePage} page */
function start(page) {
  started = true;
  byId("beside-switch").addEventListener("click", () => {
    opened = opened === null ? matchOf(page.state) : null;
    remember(KEY, opened);
    page.redraw();
  });
}

/** @param {State} state */
const matchOf = (state) => String(state.match?.id ?? "none");

/** @param {State} state @param {TablePage} page */
export function showBeside(state, page) {
  if (!started) start(page);
  if (opened !== null && opened !== matchOf(state)) {
    opened = null;
    remember(KEY, opened);
  }
  const open = opened !== null;
  const button = byId("beside-switch");
  const box = byId("beside");
  const there = (state.match?.watched ?? true) && (state.camera.source !== null || cameras(state).length > 0);
  button.hidden = !there;
  button.setAttribute("aria-expanded", open && there ? "true" : "false");
  button.textContent = t(open && there ? "beside.close" : "beside.open");
  box.hidden = !open || !there;
  if (box.hidden) {
    delete box.dataset.key;
    return;
  }
  const seen = cameras(state);
  rebuild(box, [seen.map(({ name }) => name), state.camera.sentence, state.camera.hand, state.throw, state.reading,
    state.board, state.watch, state.state, state.state_sentence], () => view(state, page, seen));
  for (const { name, version } of seen) refresh(name, version);
}

/** @param {State} state @param {TablePage} page */
function view(state, page, seen) {
  const dice = diceCompared(state, page);
  const men = menDiffering(state);
  const unsure = dice.filter(({ sign }) => sign === "?").map(({ sentence }) => sentence);
  const differences = [...dice.filter(({ sign }) => sign === "≠").map(({ sentence }) => sentence), ...men];
  const looked = dice.length > 0 || state.watch?.finding;
  return [
    el("h2", { id: "beside-heading" }, t("beside.heading")),
    el("div", { class: "beside-halves" },
      el("div", { class: "beside-half" },
        el("h3", {}, t("beside.camera")),
        seen.length ? seen.map(({ name, caption }) => el("figure", {},
          el("img", { id: `beside-${name}`, alt: t(name === "table" ? "dice.picture" : "beside.board_camera"),
            src: loaded.get(name) ?? null }),
          caption ? el("figcaption", {}, say(caption)) : null))
          : el("p", { class: "hint" }, `${t("beside.no_picture")} ${say(state.camera.sentence)}`)),
      el("div", { class: "beside-half" },
        el("h3", {}, t("beside.referee")),
        diceBelieved(state, page, dice),
        state.board ? believedBoard(state) : null)),
    verdict(state, differences, unsure, Boolean(looked)),
  ];
}

/** Whether both agree: in words and by a sign; the colour only repeats it. @param {State} state */
function verdict(state, differences, unsure, looked) {
  const listed = (sign, key, what) =>
    [el("p", {}, el("strong", {}, `${sign} ${t(key)}`)),
      el("ul", { class: "effects" }, what.map((one) => el("li", {}, one)))];
  const waits = ["PROPOSED", "MISMATCH", "BLIND"].includes(state.state);
  const kind = differences.length ? "differ" : unsure.length || waits || !looked ? "open" : "agree";
  return el("div", { class: "beside-verdict", "data-verdict": kind },
    differences.length ? listed("≠", "beside.differ", differences) : null,
    unsure.length ? listed("?", "beside.not_sure", unsure) : null,
    kind === "agree" ? el("p", {}, `= ${t("beside.agree")}`) : null,
    kind === "open" && !unsure.length
      ? el("p", {}, looked ? say(state.state_sentence) : `${t("beside.not_yet")} ${say(state.state_sentence)}`)
      : null);
}

/**
 * Each die that the camera reads now, beside its face that counts; while a new throw is being read, no face counts yet.
 * @param {State} state @param {TablePage} page
 */
function diceCompared(state, page) {
  const reading = state.reading?.dice ?? [];
  const counted = state.state === "SYNCED" ? state.throw?.faces ?? {} : {};
  return reading.filter(({ status }) => status !== "ignored").map((die) => {
    const known = page.setup.dice_sets[die.set]?.dice.find(({ name }) => name === die.die);
    const name = known ? dieName(known) : die.die ?? "?";
    const expected = counted[die.die ?? ""] ?? null;
    const unread = die.status !== "read";
    return {
      set: die.set, known, face: die.face, expected, reading: die,
      sign: unread ? "?" : expected !== null && expected !== die.face ? "≠" : "=",
      sentence: unread ? t("beside.die_unread", { die: name })
        : t("beside.die", { die: name, seen: die.face, expected: expected ?? t("beside.none") }),
    };
  });
}

/** @param {TablePage} page */
function diceBelieved(state, page, dice) {
  if (dice.length === 0) {
    const set = state.throw?.set;
    const known = page.setup.dice_sets[set]?.dice.filter(({ name }) => name in state.throw.faces) ?? [];
    return known.length ? el("ul", { class: "dice-row" },
      known.map((die) => el("li", { class: "die-seen" },
        drawDie(die, state.throw.faces[die.name], dieLabel(die, state.throw.faces[die.name]))))) : null;
  }
  return el("ul", { class: "dice-row" }, dice.map((die) => {
    const shown = die.expected ?? (die.reading.status === "read" ? die.face : null);
    const drawn = die.known ?? { name: "?", shape: "cube", counts: "up" };
    return el("li", { class: "die-seen", "data-status": die.sign === "=" ? "read" : "ask" },
      drawDie(drawn, shown, dieLabel(drawn, shown)),
      el("span", { class: "die-words" },
        `${die.sign} ${die.sign === "≠" ? die.face : sureness(die.reading.confidence)}`));
  }));
}

function believedBoard(state) {
  const finding = state.watch?.finding ?? null;
  const options = { lies: state.watch?.seating?.lies, colours: state.watch?.seating?.colours,
    marked: finding?.sites ?? [] };
  return el("figure", { class: "men-figure" },
    drawBoard(state.board, { ...options, arrows: state.board.last, kind: "last",
      label: described(state.board, options) }));
}

function menDiffering(state) {
  const finding = state.watch?.finding;
  if (!finding) return [];
  const options = { colours: state.watch.seating?.colours };
  return finding.differences.map(({ site, expected, seen }) =>
    t("men.difference", { site, expected: sayMen(expected, options), seen: sayMen(seen, options) }));
}

const loaded = new Map(); // the newest shown picture of each camera
const loading = new Set();

/** Load the newest picture, one at a time. */
async function refresh(name, version) {
  const address = `${BASE}/api/picture/${name}.jpg?v=${version}`;
  if (loaded.get(name) === address || loading.has(name)) return;
  loading.add(name);
  const next = new Image();
  next.src = address;
  try {
    await next.decode();
    loaded.set(name, address);
    const image = byId(`beside-${name}`);
    if (image) image.src = address;
  } catch {
    /* the next picture's request tries again */
  }
  loading.delete(name);
}
