/** The big sentence: whose turn it is, what is happening, or why nothing is. */

import { byId, setText } from "./dom.js";
import { say, t, translated } from "./texts.js";

const TROUBLE = new Set(["MISMATCH", "BLIND", "PROPOSED"]);

function lines(state) {
  const journal = state.health?.journal;
  if (journal && journal !== "ok") return [say(journal), say(state.awaits?.sentence)];
  if (!state.match) return [t("status.no_match"), t("status.no_match_hint")];
  if (state.outcome) return [t("status.over"), say(state.outcome.why)];
  if (state.match.paused) return [t("status.paused"), say(state.awaits?.sentence)];
  if (state.autoplay) return [t("status.program_plays"), ""]; // else a screen reader would never come to rest
  if (TROUBLE.has(state.state)) return [say(state.state_sentence), say(state.awaits?.sentence)];
  const last = state.log?.at(-1);
  const happened = last?.kind === "choice" ? say(last.text) : state.throw ? say(state.throw.sentence) : state.match.dice_sets?.length === 0 ? "" : say(state.state_sentence);
  const notice = say(state.watch?.finding?.notice); // a man who was hit is still to be lifted
  return [say(state.awaits?.sentence), state.state === "SETTLING" ? say(state.state_sentence) : [notice, happened].filter(Boolean).join(" ")];
}

export function showStatus(state) {
  const [headline, subline] = lines(state);
  setText(byId("headline"), headline);
  setText(byId("subline"), subline);
  byId("status").dataset.state = state.match?.paused ? "PAUSED" : state.state;
  const badge = byId("camera-badge");
  badge.dataset.status = state.camera.status;
  setText(badge, t(`camera_states.${state.camera.status}`));
  badge.title = say(state.camera.sentence);
  const name = byId("match-name");
  setText(name, state.match ? `${state.match.name} · ${translated(state.match.title)}` : "");
}
