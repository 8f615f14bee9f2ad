/** What happened, newest first; every event can be inspected and every throw corrected from here. */

import { byId, el, rebuild } from "../page/dom.js";
import { mayDecide } from "../page/part.js";
import { marks, seal } from "../page/seal.js";
import { open } from "./seldom.js";
import { say, t } from "../page/texts.js";

const FIRST = 30; // entries shown at first
let all = false;

/** @param {State} state @param {TablePage} page */
export function showLog(state, page) {
  const log = state.log ?? [];
  const letters = marks(state.match?.players ?? []);
  rebuild(byId("log"), [state.match?.id, log.at(-1)?.event, log.length, all, mayDecide()], () => {
    if (log.length === 0) return el("li", { class: "hint" }, t("log.empty"));
    const newest = [...log].reverse();
    const shown = (all ? newest : newest.slice(0, FIRST)).map((entry) => line(entry, letters, page));
    if (newest.length > shown.length) {
      shown.push(el("li", {}, el("button", { type: "button", class: "quiet", onclick: () => {
        all = true;
        page.redraw();
      } }, t("log.more"))));
    }
    return shown;
  });
}

/** What became of an entry since: corrected, voided, no longer counting. */
function tag(entry) {
  const what = ["voided", "dropped", "misfit"].includes(entry.standing) ? entry.standing
    : entry.corrected ? "corrected" : null;
  return what ? el("span", { class: "tag" }, t(`log.${what}`)) : null;
}

/** @param {TablePage} page */
function line(entry, letters, page) {
  const correctable = mayDecide() && ["throw", "recast", "choice"].includes(entry.kind);
  const heading = entry.kind === "choice" ? t("log.choice")
    : entry.kind === "recast" ? `${t("log.throw", { number: entry.number })}, ${t("log.recast")}`
      : entry.number ? t("log.throw", { number: entry.number }) : "";
  return el("li", { class: "log-line", "data-kind": entry.kind, "data-standing": entry.standing },
    entry.player ? seal(entry.player, letters[entry.player] ?? "") : el("span", { class: "seal none" }),
    el("button", { type: "button", class: "log-what", "aria-haspopup": "dialog", "data-focus": `log-${entry.event}`,
      title: t("log.look"), onclick: () => open("openDispute", entry.event, page.state.match.id, page) },
      heading ? el("span", { class: "log-head" }, heading,
        entry.move ? el("span", { class: "move" }, entry.move) : null, tag(entry)) : null,
      el("span", {}, say(entry.text))),
    correctable ? el("button", {
      type: "button", class: "quiet correct-button", "data-focus": `correct-${entry.event}`,
      "aria-label": entry.kind === "choice" ? t("log.correct_choice", { move: entry.move })
        : t("log.correct_label", { number: entry.number }), onclick: () => open("openCorrection", entry, page),
    }, t("log.correct")) : null);
}
