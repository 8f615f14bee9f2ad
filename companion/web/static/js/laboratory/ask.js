/** The open question: doubtful dice, with their pictures and the likeliest faces. */

import { byId, el, rebuild } from "../page/dom.js";
import { dieOf, drawFace, labelName } from "./dice.js";
import { picture, tryOrder } from "./server.js";
import { faceChoice } from "./throws.js";
import { number, say, t } from "../page/texts.js";

const LIKELY = 3;

/**
 * Show or hide the question. If only one die is doubtful, one press answers it.
 * @param {SeriesState} state @param {LaboratoryPage} page
 */
export function showQuestion(state, page) {
  const box = byId("lab-ask");
  const asked = state.series?.question ?? null;
  const was = box.hidden;
  box.hidden = !asked;
  if (!asked) {
    delete box.dataset.key;
    return;
  }
  const unsure = asked.dice.filter((one) => !one.face);
  rebuild(box, [asked.number, asked.dice], () => [
    el("h2", { id: "lab-ask-heading" }, t("lab.ask_heading")),
    // the headline shows it in large letters
    say(asked.sentence) === say(state.sentence) ? null : el("p", { class: "lead" }, say(asked.sentence)),
    unsure.length === 1 ? single(asked, unsure[0], page) : several(asked, page),
    el("button", { type: "button", class: "quiet", "data-focus": "asked-dismiss", onclick: () =>
      tryOrder("dismiss", { number: asked.number, reason: t("lab.no_throw") }) }, t("lab.no_throw_asked")),
  ]);
  if (was) box.scrollIntoView({ block: "nearest" });
}

/**
 * A question names its dice by keys, because several may be equal; `name` is the name of such a die in the series.
 * @param {LaboratoryPage} page
 */
const ofSeries = (page, one) =>
  page.state.series.dice.find(({ name }) => name === (one.name ?? one.die)) ?? page.state.series.dice[0];

const crop = (one) => (one.crop
  ? el("img", { src: picture(one.crop), alt: t("lab.asked_crop"), class: "asked-crop" })
  : null);

/** The faces at first: those read with certainty, else the likeliest. */
const guessed = (one) => one.face ?? one.candidates[0]?.[0] ?? null;

/** @param {LaboratoryPage} page */
function single(asked, one, page) {
  const die = ofSeries(page, one);
  const others = Object.fromEntries(asked.dice.filter((other) => other !== one).map((other) =>
    [other.die, other.face]));
  const give = (face) => tryOrder("answer", { number: asked.number, faces: { ...others, [one.die]: face } });
  const likely = one.candidates.slice(0, LIKELY).filter(([face]) => die.labels.includes(face));
  const rest = die.labels.filter((label) => !likely.some(([face]) => face === label));
  return el("div", { class: "asked" },
    asked.dice.length > 1 ? el("h3", {}, die.name) : null,
    crop(one),
    el("div", { class: "asked-answers" }, likely.map(([face, chance], n) =>
      el("button", { type: "button", class: n ? "answer" : "answer main-answer", "data-focus": `asked-${face}`,
        onclick: () => give(face) },
        el("span", { class: "answer-dice" }, drawFace(dieOf(page.setup, die), face)),
        el("span", {}, t("lab.answer", { face: labelName(face), percent: number(chance * 100, 0) }))))),
    rest.length ? el("details", { open: likely.length === 0 },
      el("summary", {}, t("lab.another_face")), el("div", { class: "pad-buttons" }, rest.map((face) =>
      el("button", { type: "button", class: "pad-face", "aria-label": labelName(face), onclick: () => give(face) },
        drawFace(dieOf(page.setup, die), face))))) : null,
    el("button", { type: "button", "data-focus": "asked-none", onclick: () => give(null) }, t("lab.cannot_be_told")));
}

/** @param {LaboratoryPage} page */
function several(asked, page) {
  const faces = Object.fromEntries(asked.dice.map((one) => [one.die, guessed(one)]));
  return el("form", { class: "asked", onsubmit: (event) => {
    event.preventDefault();
    tryOrder("answer", { number: asked.number, faces });
  } },
    asked.dice.map((one) => el("div", { class: "asked-die" }, el("h3", {}, ofSeries(page, one).name), crop(one),
      faceChoice(page, ofSeries(page, one), `asked-${one.die}`, (face) => (faces[one.die] = face),
        { first: guessed(one) }))),
    el("p", { class: "actions" },
      el("button", { type: "submit", class: "main-action", "data-focus": "asked-all" }, t("lab.ask_confirm"))));
}
