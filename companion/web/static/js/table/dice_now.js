/** The dice now: drawn faces with the status of each, the camera's picture, and where the lot leads. */

import { BASE, byId, el, rebuild, setText, svg } from "../page/dom.js";
import { dieLabel, dieName, drawDie, sureness } from "./dice.js";
import { mayPlay } from "../page/part.js";
import { tryCommand } from "../page/server.js";
import { tapping } from "./tap.js";
import { say, t, translated } from "../page/texts.js";

/** Whether a set is a pointer instead of dice. @param {string | undefined} set @param {TablePage} page */
export const turns = (set, page) => page.setup.dice_sets[set ?? ""]?.dice[0].shape === "wheel";

/** Whether this match uses a pointer. @param {State} state @param {TablePage} page */
export const spun = (state, page) => turns(state.match?.dice_sets?.[0], page);

/**
 * The camera's reading, unless it is the last throw, which lies there until the next one and counts already.
 * @param {State} state
 */
export function openReading(state) {
  return state.state !== "SYNCED" && state.reading?.dice?.length ? state.reading : null;
}

/** Letters as a person counts them: "I, 2 × A". */
function counted(letters) {
  const times = (letter) => letters.filter((one) => one === letter).length;
  return [...new Set(letters)].map((letter) =>
    (times(letter) > 1 ? `${times(letter)} × ${letter}` : letter)).join(", ");
}

/**
 * Show the camera's reading if it does not count yet, else the last throw.
 * @param {State} state @param {TablePage} page
 */
export function showDice(state, page) {
  const box = byId("dice-now");
  const picture = state.camera.picture ?? null;
  const comes = pictureComes(state);
  box.hidden = state.ask !== null || (!state.match?.dice_sets?.length && !comes);
  const reading = openReading(state);
  const used = usedDice(state);
  const rolls = mayRoll(state);
  box.toggleAttribute("data-rolls", rolls);
  box.onclick = (event) => rolls && event.target.closest(".die-seen") && roll(box);
  const key = [reading, state.throw, used, state.throw ? null : rolls && state.awaits.dice, state.camera.hand, comes,
    state.virtues?.length ?? 0];
  const drawn = rebuild(box, key, () => {
    const main = reading ? readingNow(reading, state, page) : lastThrow(state, page, used);
    // the same again, or the page would move until it is loaded
    const view = comes ? (pictured ??= tablePicture(page)) : null;
    return [el("div", { class: "dice-main" }, main), view];
  });
  if (drawn && !reading) tumble(box, state, page);
  if (picture !== null) refreshPicture(picture);
  if (pictured) setText(pictured.querySelector("figcaption"), say(state.camera.sentence));
}

/** Whether there is a picture, or a place to keep for one. */
const pictureComes = ({ camera, match }) =>
  (camera.picture ?? null) !== null || (camera.status === "STARTING" && Boolean(match?.watched));

let pictured = null; // the camera's picture on the page

const AGAIN = 1000; // ms between two throws that tumble: faster ones would never come to rest
/** @type {{ match: ?number, event: number, at: number, faces: Record<string, string> }} */
let tumbled = { match: null, event: 0, at: -AGAIN, faces: {} };

/**
 * Let the dice of a new throw of the program tumble; of a second cast only the die that was thrown again.
 * @param {State} state @param {TablePage} page
 */
function tumble(box, state, page) {
  const thrown = state.throw ?? { event: 0, faces: {}, by: "", kind: "" };
  if (!state.match) return;
  const now = performance.now();
  const fresh = page.drawn && tumbled.match === state.match.id && thrown.event > tumbled.event
    && now - tumbled.at > AGAIN;
  if (fresh && thrown.by === "program") {
    for (const die of box.querySelectorAll(".die-seen")) {
      if (thrown.kind !== "recast" || tumbled.faces[die.dataset.die] !== thrown.faces[die.dataset.die])
        die.classList.add("tumbles");
    }
  }
  tumbled = { match: state.match.id, event: thrown.event, at: thrown.event > tumbled.event ? now : tumbled.at,
    faces: thrown.faces };
}

/** The dice of the last throw that are used already, by name. */
function usedDice({ throw: thrown, board }) {
  if (!thrown || !board?.dice) return [];
  const left = board.dice.map(String);
  // a die was turned: which one is not known
  if (left.some((number) => !Object.values(thrown.faces).includes(number))) return [];
  return Object.entries(thrown.faces).filter(([, face]) => {
    const place = left.indexOf(face);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  }).map(([die]) => die);
}

/** @param {State} state @param {TablePage} page */
function readingNow(reading, state, page) {
  const set = reading.dice[0].set;
  return [
    el("p", { class: "over" }, t("dice.now")),
    diceRow(page, set, reading.dice.map((die) => ({ name: die.die, face: die.face, reading: die }))),
    state.camera.hand ? el("p", { class: "hint" }, t("dice.hand")) : null,
    reading.prospects ? leadsTo(fromProspects(reading.prospects), page) : null,
  ];
}

/** @param {State} state @param {TablePage} page */
function lastThrow(state, page, used) {
  const thrown = state.throw;
  // the sentence above says whose throw it is
  if (!thrown) return mayRoll(state) && !spun(state, page) ? [atRest(state, page)] : [];
  const set = thrown.set ?? thrown.dice?.[0]?.set ?? guessSet(thrown.faces, page);
  const seen = new Map((thrown.dice ?? []).map((die) => [die.die, die]));
  const dice = Object.entries(thrown.faces).map(([name, face]) => ({ name, face, reading: seen.get(name) }));
  const [key, by] = spun(state, page) ? ["dice.spin_number", `dice.by_${thrown.by}_wheel`]
    : ["dice.throw_number", `dice.by_${thrown.by}`];
  const who = t(key, { number: thrown.number, player: page.name(thrown.player) });
  return [
    el("p", { class: "over" }, `${who} · ${t(by)}`),
    diceRow(page, set, dice, true, used),
    leadsTo(fromDetails(thrown.details ?? {}, thrown.player), page)
      ?? el("p", { class: "verdict" }, say(thrown.sentence)),
    thrown.crop && state.camera.picture === null ? crop(thrown.crop, t("dice.crop")) : null,
  ];
}

/** Whether the program's dice are thrown by whoever taps them. @param {State} state */
function mayRoll(state) {
  const waits = state.awaits?.kind === "throw" && !state.awaits.by_program;
  return waits && state.match?.dice_by === "program" && !state.match.paused && !state.outcome && !state.autoplay
    && !tapping(state) && mayPlay();
}

/** Throw once, even if the dice are tapped several times before the throw arrives. */
function roll(box) {
  if (!box.hasAttribute("data-rolls")) return;
  box.removeAttribute("data-rolls");
  tryCommand("roll");
}

/** Before the first throw the dice lie there to be taken up. @param {State} state @param {TablePage} page */
function atRest(state, page) {
  const [set] = state.awaits.dice_sets;
  const dice = page.setup.dice_sets[set].dice.filter(({ name }) => state.awaits.dice.includes(name));
  return el("ul", { class: "dice-row", "aria-hidden": "true" }, dice.map((die, n) => {
    const faces = [...new Set(die.faces.map(({ text }) => text))];
    return el("li", { class: "die-seen", "data-die": die.name }, drawDie(die, faces[n % faces.length], null));
  }));
}

/** A kept crop; once its picture is deleted, the image disappears. */
export function crop(name, alt) {
  return el("img", { class: "crop", src: `${BASE}/api/picture/${name}.jpg`, alt,
    onerror: (event) => event.target.remove() });
}

/** The dice set of these faces; if several fit, the match's own set first. @param {TablePage} page */
export function guessSet(faces, page) {
  const known = page.setup.dice_sets;
  const has = (name) => Object.entries(faces).every(([die, face]) =>
    known[name].dice.some((one) => one.name === die && one.faces.some(({ text }) => text === face)));
  const own = page.state?.match?.dice_sets ?? [];
  return [...own, ...Object.keys(known)].find(has) ?? own[0] ?? Object.keys(known)[0];
}

/**
 * The dice in a row; `entered`: they count already, so a person answered for the doubtful dice; `used`: those that a
 * player has used.
 * @param {TablePage} page
 */
function diceRow(page, set, dice, entered = false, used = []) {
  const known = page.setup.dice_sets[set]?.dice ?? [];
  const order = known.map((die) => die.name);
  // ordinary dice lie as the sentence has them, the lowest first
  const rank = ({ name, face }) => (entered && known[0]?.pips ? Number(face) : order.indexOf(name));
  const sorted = [...dice].sort((one, other) => rank(one) - rank(other));
  return el("ul", { class: "dice-row" }, sorted.map(({ name, face, reading }) => {
    const die = known.find((entry) => entry.name === name)
      ?? { name: name ?? "?", shape: "cube", counts: "up", faces: [] };
    const asked = reading?.status === "ask";
    const status = entered || !reading ? "read" : reading.status;
    const shown = status === "ignored" ? null : face;
    const spent = used.includes(name);
    const words = spent ? t("dice.used")
      : !reading ? null : entered && asked ? t("dice.told")
        : status === "read" ? sureness(reading.confidence) : t(`dice.${status}`);
    return el("li", { class: spent ? "die-seen used" : "die-seen", "data-status": status, "data-die": name },
      drawDie(die, shown, dieLabel(die, shown)),
      el("span", { class: "die-name" }, die.counts === "down" ? t("tap.hidden_face") : dieName(die)),
      words ? el("span", { class: "die-words" }, words) : null,
    );
  }));
}

const fromProspects = (prospects) => ({
  lots: prospects.virtues,
  holder: prospects.virtue ? prospects.holders[prospects.virtue] ?? null : null,
  missing: prospects.missing,
  consonants: prospects.consonants,
});

/** The same for a committed throw: its result first. */
const fromDetails = (details, player) => ({
  lots: details.meant ?? (details.virtue ? [details.virtue] : []),
  sum: details.lot ? null : details.sum,
  result: details.result,
  by: player,
  holder: details.holder,
  missing: details.missing?.length ? details.missing : null,
  needed: details.result === "consonant" ? details.winning_consonants : null,
});

/**
 * The virtue that a lot points to: who holds it, which letters are missing, what would win it.
 *
 * @param {{ lots: string[], [fact: string]: any }} facts @param {TablePage} page
 */
export function leadsTo({ lots, holder, missing, consonants, needed, sum, result, by }, page) {
  if (!lots || lots.length === 0 || lots.length > 6) return null;
  const virtues = lots.flatMap((lot) => page.virtue(lot) ?? []);
  if (virtues.length === 0) return null;
  const lot = virtues.length === 1 && !sum ? virtues[0].id : null;
  const facts = [
    standing({ result, by, holder, alone: virtues.length === 1 }, page),
    ...(virtues.length === 1 && !["acquired", "held"].includes(result)
      ? toWin({ missing, needed, consonants, holder }) : []),
  ].filter(Boolean);
  return el("div", { class: "leads" },
    el("span", { class: "leads-lot" },
      lot ? t("prospects.lot", { lot }) : t("prospects.sum_points", { sum: sum ?? virtues[0].sum })),
    el("span", { class: "leads-names" }, virtues.map((virtue) =>
      el("span", { class: "leads-virtue" }, el("strong", {}, translated(virtue.english)), " ",
        el("em", { lang: "la" }, virtue.name)))),
    facts.length ? el("ul", { class: "facts" },
      facts.map(([kind, fact]) => el("li", { "data-fact": kind }, fact))) : null,
  );
}

/** Who holds what a lot points to, as [kind, text]. */
function standing({ result, by, holder, alone }, page) {
  if (result === "acquired") return ["won", t("prospects.acquired", { player: page.name(by) })];
  if (result === "held" && !alone) return ["held", t("prospects.all_held")];
  if (holder) return ["held", t("prospects.held", { player: page.name(holder) })];
  return alone ? ["free", t("prospects.free")] : null;
}

/** What a throw lacks: vowels, and the faces that would win; of one that has lost, those that were `needed`. */
function toWin({ missing, needed, consonants, holder }) {
  const letters = !missing ? null
    : missing.length ? ["lacks", t("prospects.vowels_missing", { letters: counted(missing) })]
      : ["there", t("prospects.vowels_there")];
  const faces = holder ? null : needed ?? consonants;
  const winning = faces && (faces.length
    ? t(needed ? "prospects.needed" : "prospects.wins_with", { faces: faces.join(", ") })
    : t("prospects.no_faces"));
  return [letters, winning && ["faces", winning]];
}

/**
 * The camera's picture; where it has no room beside the board, a tap lets the two change places.
 * @param {TablePage} page
 */
function tablePicture(page) {
  return el("figure", { class: "table-picture" },
    el("div", { class: "pictured" },
      // alt would take other room than the picture that comes
      el("img", { id: "table-picture", "aria-label": t("dice.picture") }),
      svg("svg", { id: "table-outlines", "aria-hidden": "true" })),
    el("figcaption", {}),
    el("button", { type: "button", class: "quiet swap", "data-focus": "swap", onclick: () => {
      document.body.classList.toggle("large-picture");
      page.redraw();
    } }, t("dice.swap")));
}

let shown = null;
let loading = false;

/** Load the newest picture, one at a time; a slow tablet skips some. */
async function refreshPicture(version) {
  const image = byId("table-picture");
  if (!image || loading || (shown === version && image.src)) return;
  loading = true;
  shown = version;
  const next = new Image();
  next.src = `${BASE}/api/picture/table.jpg?v=${version}`;
  try {
    await next.decode();
    image.src = next.src;
  } catch {
    shown = null;
  }
  loading = false;
}
