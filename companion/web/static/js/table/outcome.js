/** The end of a match: the teacher, the pupils, and for each pupil the virtues that habits may still bring. */

import { BASE, byId, el, rebuild } from "../page/dom.js";
import { marks, seal } from "../page/seal.js";
import { unit } from "./players.js";
import { hasText, listed, say, t, translated } from "../page/texts.js";

/** @param {State} state @param {TablePage} page */
export function showOutcome(state, page) {
  const box = byId("outcome");
  const appeared = box.hidden && page.drawn; // do not scroll to an end that the page already came with
  box.hidden = !state.outcome;
  if (!state.outcome) {
    delete box.dataset.key;
    return;
  }
  rebuild(box, [state.outcome, state.demonstration, state.match?.players.map((player) => player.score)],
    () => view(state, page));
  if (appeared) box.scrollIntoView({ block: "start" });
}

/** @param {TablePage} page */
function view(state, page) {
  const { outcome, match } = state;
  const letters = marks(match.players);
  const teachers = outcome.teacher?.length ? outcome.teacher : [];
  const winners = outcome.winners.map((number) => page.name(number));
  const names = listed(winners);
  const order = [...match.players].sort((one, other) =>
    teachers.includes(other.number) - teachers.includes(one.number) || other.score - one.score);
  return [
    state.demonstration ? demonstrationOver(state.demonstration) : null,
    el("h2", { id: "outcome-heading" }, heading(winners, names, match)),
    match.of ? null : el("p", {}, say(outcome.why)),
    outcome.tie && match.of ? el("p", { class: "hint" }, t("outcome.shared")) : null,
    match.of ? el("p", { class: "kind" }, t("outcome.kind")) : null,
    el("ul", { class: "ranks" }, order.map((player) => rank(player, teachers, letters, state, page))),
  ];
}

/** The card of a sample table: the demonstration is over, and the visitor may play now. */
function demonstrationOver({ sentence }) {
  return el("div", { class: "demonstration" },
    el("div", {}, el("h2", {}, t("sample.over")), el("p", {}, say(sentence))),
    el("p", { class: "actions" },
      el("a", { class: "button main-action large", href: `${BASE}/new` }, t("sample.play"))));
}

function heading(winners, names, match) {
  if (winners.length === 0) return t("outcome.nobody");
  if (winners.length > 1) return t("outcome.won_together", { names });
  return t(match.of ? "outcome.won" : "outcome.wins", { names });
}

/** @param {TablePage} page */
function rank(player, teachers, letters, state, page) {
  const listed = state.outcome.pupils?.find((pupil) => pupil.player === player.number)?.lacks;
  const lacks = listed ?? state.virtues.filter((virtue) => virtue.owner !== player.number).map((virtue) => virtue.id);
  const role = teachers.length === 0 ? null : t(teachers.includes(player.number) ? "outcome.teacher" : "outcome.pupil");
  const count = lacks.length === 0 ? t("outcome.lacks_none") : t("outcome.lacks_count", { count: lacks.length });
  return el("li", { class: "rank", "data-role": teachers.includes(player.number) ? "teacher" : null },
    el("p", { class: "rank-head" }, seal(player.number, letters[player.number]),
      el("strong", {}, player.name), role ? el("span", { class: "tag" }, role) : null,
      el("span", { class: "rank-score" }, `${player.score} ${unit(player.score, state)}`)),
    state.match.of === 0 ? null : el("details", {},
      el("summary", {}, el("span", {}, t("outcome.lacks"), el("small", { class: "hint" }, count))),
      el("ul", { class: "habits" }, lacks.map((lot) => habit(page.virtue(lot))))));
}

function habit(virtue) {
  const key = `habits.${virtue.name}`;
  return el("li", {}, el("strong", {}, translated(virtue.english)), " ", el("em", { lang: "la" }, virtue.name),
    hasText(key) ? el("span", {}, t(key)) : null);
}
