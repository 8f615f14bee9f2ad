/**
 * The big sentence: whose turn it is, what is happening, or why nothing is. There is always one, with a sign beside it.
 */

import { showCamera } from "../camera/camera_badge.js";
import { byId, setText } from "../page/dom.js";
import { SIGNS, drawSign } from "../page/signs.js";
import { soundState } from "../page/sound.js";
import { hasText, say, t, translated } from "../page/texts.js";

const TROUBLE = { MISMATCH: "wrong", BLIND: "blind", PROPOSED: "ask" };

const HOLD = 850; // ms for which a sentence stays, else nobody could read "a hand is over the table" before it is gone

// actors that act by themselves or elsewhere; the act of a person at this table shows at once
const PROGRAM = ["program", "sample", "other_table"];

const LONG = 44; // characters; longer text is smaller, so that it fits into two lines

const OWN_SIGNS = {
  ...SIGNS,
  turn: "M4 12h13M12 6l6 6-6 6",
  moving: "M4 8c3-3 5 3 8 0s5 3 8 0M4 16c3-3 5 3 8 0s5 3 8 0",
  wrong: "M6 9h12M6 15h12M16 4 8 20",
  paused: "M9 5v14M15 5v14",
  over: "M5 13l5 5 9-12",
  program: "M12 4v3M12 17v3M4 12h3M17 12h3M7 7l2 2M15 15l2 2M17 7l-2 2M9 15l-2 2",
  remote: "M3 12h6M15 12h6M12 3v4M12 17v4M9 9h6v6H9z",
  trouble: "M12 4 22 20H2ZM12 10v4M12 17v.5",
};

/**
 * The news and its sign: {sign, headline, subline}. The headline says what happened, the line below what to do; it is
 * never empty.
 * @param {State} state
 */
function headlines(state) {
  const waits = say(state.awaits?.sentence);
  const how = say(state.state_sentence);
  if (document.body.dataset.link === "lost")
    return { sign: "lost", headline: t("status.lost"), subline: t("status.lost_hint") };
  const journal = state.health?.journal ?? "ok";
  if (journal !== "ok") return { sign: "trouble", headline: say(journal), subline: waits };
  if (!state.match) return { sign: "none", headline: t("status.no_match"),
    subline: state.state === "BLIND" ? how : t("status.no_match_hint") };
  if (state.outcome) return { sign: "over", headline: t("status.over"),
    subline: state.match.of ? say(state.outcome.why) : "" }; // else the card at the end shows it
  if (state.match.paused) return { sign: "paused", headline: say(state.other_table?.sentence) || t("status.paused"),
    subline: waits };
  return playing(state, say(state.news) || waits, waits, how);
}

/** The same while a match goes on. @param {InMatch} state */
function playing(state, news, waits, how) {
  // else a screen reader would never stop
  if (state.autoplay) return { sign: "program", headline: t("status.program_plays"), subline: "" };
  if (TROUBLE[state.state]) return { sign: TROUBLE[state.state], headline: how || waits, subline: waits };
  if (state.state === "SETTLING") return { sign: "moving", headline: news || how, subline: how };
  const { there, men, comes } = ofOtherTable(state);
  if (there && !comes) return { sign: "remote", headline: there, subline: men };
  const next = there || (state.news ? waits : state.match.dice_sets?.length === 0 ? "" : how);
  const notice = say(state.watch?.finding?.notice); // somebody must still lift a hit man
  return { sign: whose(state.awaits), headline: news || how,
    subline: [notice, men, next].filter(Boolean).join(" ") };
}

/** What another table is to do, and that men are to be moved as there; whether its players come after some news. */
function ofOtherTable({ other_table: other, news, awaits }) {
  return { there: say(other?.awaited), men: say(other?.men),
    comes: Boolean(news) && other?.players.includes(awaits.player) };
}

/** Whose turn the sign shows. */
const whose = (awaits) => (awaits?.remote ? "remote" : awaits?.by_program ? "program" : "turn");

/**
 * What else to know: a camera that sees badly or was knocked, dice that the reader ignores, no camera.
 * @param {State} state
 */
function note(state) {
  if (!state.match || state.outcome || state.match.paused) return "";
  const { camera, watch, reading } = state;
  const ignored = reading?.status === "ignored" && state.awaits?.kind !== "choice" ? reading.reason : "";
  const found = [...byCamera(state), say(state.hitch), say(camera.warning), say(watch?.warning), ignored];
  return [...new Set(found.filter(Boolean))].join(" ");
}

/** What people must do where a camera reads the dice: tap while it cannot, and throw for the program. */
function byCamera({ match, state, state_sentence: how, awaits }) {
  if (match.dice_by !== "camera") return [];
  const program = ["throw", "recast"].includes(awaits?.kind)
    && match.players.find((player) => player.program && player.number === awaits.player);
  return [state === "MANUAL" ? say(how) : "", program ? t("status.throw_for_program", { player: program.name }) : ""];
}

/** Whether no camera watches this match: then the page does not mention one. */
const unwatched = ({ match }) => Boolean(match) && !match.watched;

let happened = "";
let advice = { text: "", alone: false };

/** Say below the headline what the board asks for or refuses: after what happened, or `alone` instead of it. */
export function advise(text, { alone = false, refused = false } = {}) {
  advice = { text, alone };
  byId("subline").classList.toggle("refused", refused);
  showSubline();
}

const showSubline = () => setText(byId("subline"),
  advice.alone ? advice.text : [happened, advice.text].filter(Boolean).join(" "));

let held = null; // the shown state: {key, link, match, event, since}
let later = null; // the timer that shows a newer state

/**
 * Show the status, each for a minimum time: newer states wait meanwhile, and then the newest shows.
 * @param {State} state
 */
export function showStatus(state) {
  clearTimeout(later);
  const now = performance.now();
  const key = JSON.stringify([headlines(state), note(state), state.demonstration, state.state]);
  const left = held === null || key === held.key || urgent(state) ? 0 : held.since + HOLD - now;
  if (left > 0) {
    later = setTimeout(() => showStatus(state), left);
    return;
  }
  const shown = { key, link: document.body.dataset.link, match: state.match?.id, event: state.log?.at(-1)?.event,
    since: key === held?.key ? held.since : now };
  if (shown.since === now) requestAnimationFrame(() => (shown.since = performance.now())); // a busy browser draws later
  held = shown;
  drawStatus(state);
}

/**
 * Whether a state must show at once: the result of a person's act, another match, a lost table.
 * @param {State} state
 */
function urgent(state) {
  const last = state.log?.at(-1);
  const byPerson = last !== undefined && last.event !== held.event && !PROGRAM.includes(last.actor);
  return byPerson || state.match?.id !== held.match || document.body.dataset.link !== held.link;
}

/** @param {State} state */
function drawStatus(state) {
  const { sign, headline, subline } = headlines(state);
  const words = hasText(`status.signs.${sign}`) ? t(`status.signs.${sign}`) : "";
  setText(byId("headline"), headline || t("status.heading"));
  byId("headline").classList.toggle("long", headline.length > LONG);
  happened = subline;
  showSubline();
  const shown = state.outcome ? "" : say(state.demonstration?.sentence); // at the end a card shows it
  byId("demonstration-note").hidden = !shown;
  setText(byId("demonstration-note"), shown);
  const more = note(state);
  byId("status-note").hidden = more === "";
  setText(byId("status-note"), more);
  byId("status").dataset.state = state.match?.paused ? "PAUSED" : state.state;
  showCamera(byId("camera-badge"), state.camera);
  byId("camera-badge").hidden = unwatched(state);
  const banner = document.querySelector(".sample:not(.invited, .class-bar, .demo)");
  if (banner) banner.hidden = unwatched(state);
  byId("status").dataset.sign = sign;
  byId("status-sign").hidden = false;
  drawSign(byId("status-sign"), OWN_SIGNS, sign, words);
  soundState(state, ["turn", "program", "remote"].includes(sign)
    ? [headline, state.news && say(state.awaits.sentence)].filter(Boolean).join(" ")
    : headline);
  const name = byId("match-name");
  setText(name, state.match ? `${state.match.name} · ${translated(state.match.title)}` : "");
}
