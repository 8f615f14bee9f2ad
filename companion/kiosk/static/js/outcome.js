/** The end of a match: the teacher, the pupils, and for each the virtues that habits may still bring. */

import { byId, el, rebuild } from "./dom.js";
import { marks, seal } from "./seal.js";
import { hasText, t } from "./texts.js";

export function showOutcome(state, page) {
  const box = byId("outcome");
  const was = box.hidden;
  box.hidden = !state.outcome;
  if (!state.outcome) {
    delete box.dataset.key;
    return;
  }
  rebuild(box, [state.outcome, state.match?.players.map((player) => player.score)], () => view(state, page));
  if (was) box.scrollIntoView({ block: "start" });
}

function view(state, page) {
  const { outcome, match } = state;
  const letters = marks(match.players);
  const teachers = outcome.teacher?.length ? outcome.teacher : [];
  const order = [...match.players].sort((one, other) => teachers.includes(other.number) - teachers.includes(one.number) || other.score - one.score);
  return [
    el("h2", { id: "outcome-heading" }, t("outcome.heading")),
    outcome.tie ? el("p", { class: "hint" }, t("outcome.shared")) : null,
    el("p", { class: "kind" }, t("outcome.kind")),
    el("ul", { class: "ranks" }, order.map((player) => rank(player, teachers, letters, state, page))),
  ];
}

function rank(player, teachers, letters, state, page) {
  const listed = state.outcome.pupils?.find((pupil) => pupil.player === player.number)?.lacks;
  const lacks = listed ?? state.virtues.filter((virtue) => virtue.owner !== player.number).map((virtue) => virtue.id);
  const role = teachers.length === 0 ? null : t(teachers.includes(player.number) ? "outcome.teacher" : "outcome.pupil");
  const count = lacks.length === 0 ? t("outcome.lacks_none") : t(lacks.length === 1 ? "outcome.lacks_one" : "outcome.lacks_count", { count: lacks.length });
  return el("li", { class: "rank" },
    el("p", { class: "rank-head" }, seal(player.number, letters[player.number]),
      el("strong", {}, player.name), role ? el("span", { class: "tag" }, role) : null,
      el("span", { class: "rank-score" }, `${player.score} ${t(player.score === 1 ? "players.score_one" : "players.score")}`)),
    el("details", {},
      el("summary", {}, t("outcome.lacks"), " ", el("span", { class: "hint" }, count)),
      el("ul", { class: "habits" }, lacks.map((lot) => habit(page.virtue(lot))))));
}

function habit(virtue) {
  const key = `habits.${virtue.name}`;
  return el("li", {}, el("strong", { lang: "la" }, virtue.name), " ", el("em", {}, virtue.english), hasText(key) ? el("span", {}, t(key)) : null);
}
