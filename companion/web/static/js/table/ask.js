/** The question about doubtful dice: the crop and the likeliest answers, one tap each. */

import { askInDialog } from "../page/dialog.js";
import { byId, el, rebuild } from "../page/dom.js";
import { dieName, drawDie } from "./dice.js";
import { crop, guessSet } from "./dice_now.js";
import { faceRows } from "./faces.js";
import { tryCommand } from "../page/server.js";
import { say, t } from "../page/texts.js";

const MOST_ANSWERS = 4;

/** @param {State} state @param {TablePage} page */
export function showAsk(state, page) {
  const box = byId("ask");
  const asked = state.ask;
  const was = box.hidden;
  box.hidden = !asked;
  if (!asked) {
    delete box.dataset.key;
    box.replaceChildren(); // its pictures are of a throw that is settled, perhaps of another match
    byId("other").close();
    return;
  }
  rebuild(box, [asked.id, asked.dice, asked.suggestion], () => question(asked, state, page));
  if (was) box.scrollIntoView({ block: "nearest" });
}

/** Every likely answer as {faces, chance}: the suggestion, and the answers that differ from it in one die. */
function answers(asked) {
  const best = { ...asked.suggestion };
  for (const die of asked.dice)
    if (die.die && !(die.die in best) && die.candidates[0]) best[die.die] = die.candidates[0][0];
  const chanceOf = (die, face) => die.candidates.find(([text]) => text === face)?.[1] ?? 0;
  const likely = [{ faces: best,
    chance: asked.dice.reduce((all, die) => all * (die.die ? chanceOf(die, best[die.die]) : 1), 1) }];
  for (const die of asked.dice) {
    if (!die.die || die.status === "read") continue;
    for (const [face, chance] of die.candidates.slice(0, MOST_ANSWERS)) {
      if (face === best[die.die] || chance < 0.001) continue;
      const rest = likely[0].chance / (chanceOf(die, best[die.die]) || 1);
      likely.push({ faces: { ...best, [die.die]: face }, chance: rest * chance, differs: die.die });
    }
  }
  const [first, ...others] = likely;
  return [first, ...others.sort((one, other) => other.chance - one.chance)].slice(0, MOST_ANSWERS);
}

/** @param {State} state @param {TablePage} page */
function question(asked, state, page) {
  const wanted = state.awaits?.kind === "recast" ? 1 : state.awaits?.dice.length ?? 0;
  const choices = answers(asked).filter((answer) => Object.keys(answer.faces).length === wanted);
  const crops = asked.dice.filter((die) => die.crop && die.status !== "read");
  return [
    el("div", { class: "ask-head" }, el("h2", { id: "ask-heading" }, t("ask.heading")),
      el("p", { class: "lead" }, say(asked.sentence))),
    asked.dice.some((die) => die.crop)
      ? el("div", { class: "ask-crops" }, crop(`crop-${asked.id}`, t("ask.whole_picture")),
        [...new Map(crops.map((die) => [die.crop, die])).values()].map((die) => crop(die.crop, t("ask.picture"))))
      : null,
    el("div", { class: "ask-answers" }, choices.map((answer, n) => answerButton(asked, answer, n, page))),
    el("div", { class: "actions" },
      el("button", { type: "button", "data-focus": "other",
        onclick: () => other(asked, choices[0]?.faces ?? asked.suggestion ?? {}, state, page) }, t("ask.other")),
      el("button", { type: "button", "data-focus": "dismiss", onclick: () =>
        tryCommand("dismiss", { ask: asked.id, reason: t("ask.not_a_throw_reason") }) }, t("ask.not_a_throw"))),
  ];
}

/** @param {TablePage} page */
function answerButton(asked, answer, n, page) {
  const set = guessSet(answer.faces, page);
  const dice = page.setup.dice_sets[set].dice.filter((die) => die.name in answer.faces);
  const spoken = dice.map((die) => `${dieName(die)}: ${answer.faces[die.name]}`).join(", ");
  return el("button", {
    type: "button", class: n === 0 ? "answer main-answer" : "answer", "data-focus": `answer-${n}`,
    "aria-label": `${t(n === 0 ? "ask.yes" : "ask.or_rather")}: ${spoken}`,
    onclick: () => tryCommand("answer", { ask: asked.id, faces: answer.faces }),
  },
    el("span", { class: "answer-word" }, t(n === 0 ? "ask.is_it" : "ask.or_rather")),
    el("span", { class: "answer-dice" }, dice.map((die) =>
      el("span", { class: answer.differs === die.name ? "differs" : "" },
        drawDie(die, answer.faces[die.name], null)))));
}

/** The full choice in a dialog, filled with the likeliest answer. @param {State} state @param {TablePage} page */
function other(asked, faces, state, page) {
  const set = Object.keys(faces).length ? guessSet(faces, page) : state.awaits.dice_sets[0];
  const single = state.awaits.kind === "recast";
  const rows = faceRows({ page, set, names: state.awaits.dice, faces, single });
  askInDialog(byId("other"), t("ask.heading"), rows.node, async () =>
    Boolean(await tryCommand("answer", { ask: asked.id, faces: rows.faces() })), { go: t("ask.confirm") });
}
