/** The notes on an event beside its own sentence: when, by whom, and what became of it since. */

import { el } from "../page/dom.js";
import { dateTime, hasText, t } from "../page/texts.js";

/** A time, given in seconds since 1970, in the format of this language. */
export const stamp = (seconds) => dateTime(seconds * 1000);

const actor = (name) => (hasText(`replay.by_${name}`) ? t(`replay.by_${name}`) : name);

export const whoAndWhen = (line) => t("replay.when", { when: stamp(line.at), actor: actor(line.actor) });

/**
 * What became of an event: nothing, or that it was voided or changed, with every reason; and the object of a
 * correction.
 */
export function became(line, goThere = /** @type {(() => any) | null} */ (null)) {
  const { standing, move, corrections } = line.since;
  const parts = [];
  if (standing === "voided")
    parts.push(t(corrections.at(-1)?.way === "takeback" ? "replay.taken_back" : "replay.voided"));
  else if (standing === "dropped") parts.push(t("replay.dropped"));
  else if (standing === "misfit") parts.push(t("replay.misfit"));
  else if (corrections.length) parts.push(t("replay.changed", { move }));
  const reasons = corrections.map((one) => ({ when: stamp(one.at), reason: one.reason }))
    .filter(({ reason }) => reason);
  return [
    parts.length ? el("strong", { class: "became" }, parts.join(" ")) : null,
    reasons.length ? el("span", { class: "hint" }, ` ${reasons.map((one) => t("replay.why", one)).join(" ")}`) : null,
    line.of && goThere ? el("button", { type: "button", class: "quiet", onclick: goThere },
      t("replay.go_there", { number: line.of })) : null,
  ];
}

/** The name of an event: its throw's number, its move, or its place in the match. */
export function eventName(line) {
  if (line.kind === "choice") return t("dispute.heading_choice", { move: line.move });
  if (line.number) return t("dispute.heading_throw", { number: line.number });
  return t("dispute.heading_event", { number: line.moment });
}
