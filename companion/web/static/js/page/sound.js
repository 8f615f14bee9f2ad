/** Sounds and reading aloud, both off until somebody turns them on. The page always shows the same information. */

import { el, remember, remembered } from "./dom.js";
import { say, t } from "./texts.js";

const NOTES = { // Hz, s
  commit: [[523, 0], [784, 0.11]],
  ask: [[659, 0], [523, 0.14], [659, 0.28]],
  refused: [[233, 0], [196, 0.16]],
};
const LENGTH = 0.22; // s
const LOUDNESS = 0.12;
const LONGEST = 20000; // ms that one sentence may take; some browsers never say that they have ended

const read = (name) => remembered(`alea.${name}`) === "on";
const on = { tones: read("tones"), speech: read("speech") };

export const soundKey = () => [on.tones, on.speech];

/** The two switches of the menu. */
export function soundButtons(redraw) {
  const button = (name) => el("button", {
    type: "button", "aria-pressed": on[name] ? "true" : "false", "data-focus": `sound-${name}`,
    onclick: (event) => {
      event.stopPropagation(); // the menu stays open
      on[name] = !on[name];
      remember(`alea.${name}`, on[name] ? "on" : "off");
      if (name === "tones" && on.tones) play("commit");
      if (name === "speech" && !on.speech) hush();
      redraw();
    },
  }, `${t(`sound.${name}`)}: ${t(on[name] ? "sound.on" : "sound.off")}`);
  return [button("tones"), "speechSynthesis" in window ? button("speech") : null];
}

let context = null;

/** A few notes. A browser allows sound only after somebody has touched the page; until then it is silent. */
export function play(name) {
  if (!on.tones || !("AudioContext" in window)) return;
  context ??= new AudioContext();
  context.resume().catch(() => {});
  for (const [pitch, after] of NOTES[name]) {
    const at = context.currentTime + after;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + LENGTH + 0.02);
  }
}

let speaking = null; // the timer of the current sentence
let next = null; // the one waiting sentence; a newer one replaces it

/** Read a sentence aloud after the current one; at most one waits. */
export function speak(sentence) {
  if (!on.speech || !sentence || !("speechSynthesis" in window)) return;
  next = sentence;
  if (speaking === null) speakNext();
}

function speakNext() {
  clearTimeout(speaking);
  speaking = null;
  if (next === null) return;
  const utterance = new SpeechSynthesisUtterance(next);
  next = null;
  utterance.lang = document.documentElement.lang;
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    speakNext();
  };
  utterance.addEventListener("end", end);
  utterance.addEventListener("error", end);
  speaking = setTimeout(() => {
    speechSynthesis.cancel();
    end();
  }, LONGEST);
  speechSynthesis.speak(utterance);
}

function hush() {
  next = null;
  clearTimeout(speaking);
  speaking = null;
  speechSynthesis.cancel();
}

let before = null;

/** Play sounds and read aloud what is new in this state; the first state is silent. @param {State} state */
export function soundState(state, headline) {
  const { event = 0, kind = "" } = state.log?.at(-1) ?? {};
  const now = { match: state.match?.id ?? null, event, kind, asked: questionOf(state),
    wrong: state.state === "MISMATCH", headline };
  const was = before;
  before = now;
  if (was === null || was.match !== now.match) return;
  const note = noteOf(was, now);
  if (note) play(note);
  if (now.headline !== was.headline) speak(state.outcome ? `${headline} ${say(state.outcome.why)}` : headline);
}

function noteOf(was, now) {
  if (now.asked !== null && now.asked !== was.asked) return "ask";
  if (now.wrong && !was.wrong) return "refused";
  return now.event > was.event && ["throw", "recast", "choice"].includes(now.kind) ? "commit" : null;
}

const questionOf = ({ ask, watch }) => ask?.id ?? watch?.ask?.id ?? null;

document.addEventListener("alea:refused", () => play("refused"));
