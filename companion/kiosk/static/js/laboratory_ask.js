/** The open question: a die that was not read for certain, with its picture and the likeliest faces. */

import { byId, el, rebuild } from "./dom.js";
import { dieOf, drawFace, labelName } from "./laboratory_dice.js";
import { picture, tryOrder } from "./laboratory_server.js";
import { faceChoice } from "./laboratory_throws.js";
import { number, say, t } from "./texts.js";

const LIKELY = 3;

/** Show the question, or put it away. One die is answered by one press; several are answered together. */
export function showQuestion(state, page) {
  const box = byId("lab-ask");
  const asked = state.series?.question ?? null;
  const was = box.hidden;
  box.hidden = !asked;
  if (!asked) {
    delete box.dataset.key;
    return;
  }
  rebuild(box, [asked.number, asked.dice], () => [
    el("h2", { id: "lab-ask-heading" }, t("lab.ask_heading")),
    el("p", { class: "lead" }, say(asked.sentence)),
    asked.dice.length === 1 ? single(asked, asked.dice[0], page) : several(asked, page),
  ]);
  if (was) box.scrollIntoView({ block: "nearest" });
}

const ofSeries = (page, name) => page.state.series.dice.find((one) => one.name === name) ?? page.state.series.dice[0];

/** By this name a die is answered: several alike may lie there. */
const keyOf = (one) => one.key ?? one.die;

const crop = (one) => (one.crop ? el("img", { src: picture(one.crop), alt: t("lab.asked_crop"), class: "asked-crop" }) : null);

function single(asked, one, page) {
  const die = ofSeries(page, one.die);
  const give = (face) => tryOrder("answer", { number: asked.number, faces: { [keyOf(one)]: face } });
  const rest = die.labels.filter((label) => !one.candidates.slice(0, LIKELY).some(([face]) => face === label));
  return el("div", { class: "asked" },
    crop(one),
    el("div", { class: "asked-answers" }, one.candidates.slice(0, LIKELY).map(([face, chance], n) =>
      el("button", { type: "button", class: n ? "answer" : "answer main-answer", "data-focus": `asked-${face}`, onclick: () => give(face) },
        el("span", { class: "answer-dice" }, drawFace(dieOf(page.setup, die), face)), el("span", {}, t("lab.answer", { face: labelName(face), percent: number(chance * 100, 0) }))))),
    el("details", {}, el("summary", {}, t("lab.another_face")), el("div", { class: "pad-buttons" }, rest.map((face) =>
      el("button", { type: "button", class: "pad-face", "aria-label": labelName(face), onclick: () => give(face) }, drawFace(dieOf(page.setup, die), face))))),
    el("button", { type: "button", "data-focus": "asked-none", onclick: () => give(null) }, t("lab.cannot_be_told")));
}

function several(asked, page) {
  const faces = Object.fromEntries(asked.dice.map((one) => [keyOf(one), one.candidates[0]?.[0] ?? null]));
  return el("form", { class: "asked", onsubmit: (event) => {
    event.preventDefault();
    tryOrder("answer", { number: asked.number, faces });
  } },
    asked.dice.map((one) => el("div", { class: "asked-die" }, el("h3", {}, one.die), crop(one),
      faceChoice(page, ofSeries(page, one.die), `asked-${keyOf(one)}`, (face) => (faces[keyOf(one)] = face), { first: faces[keyOf(one)] }))),
    el("p", { class: "actions" }, el("button", { type: "submit", class: "main-action", "data-focus": "asked-all" }, t("lab.ask_confirm"))));
}
