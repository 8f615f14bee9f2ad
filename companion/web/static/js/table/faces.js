/** Rows of faces to choose from: one row per die, as radio buttons that look like dice. */

import { el } from "../page/dom.js";
import { nameOf } from "../page/texts.js";
import { dieLabel, dieName, drawDie } from "./dice.js";

let rows = 0;

/** @type {(faces: Record<string, string>) => void} */
const UNHEARD = () => {};

/**
 * A chooser for the named dice. `single` allows a face for only one of the dice (a second cast).
 * Returns {node, dice, faces(), back(), clear()}; `back` undoes the last choice; `changed(faces)` is called at every
 * choice.
 */
export function faceRows({ page, set, names, faces = {}, single = false, changed = UNHEARD }) {
  const dice = (page.setup.dice_sets[set]?.dice ?? []).filter((die) => names.includes(die.name));
  rows += 1;
  const group = `faces-${rows}`;
  const inputs = [];
  const node = el("div", { class: "face-rows" }, dice.map((die, row) => {
    const label = dieName(die);
    return el("div", { class: `face-row ${die.shape}`, role: "radiogroup", "aria-label": label },
      el("span", { class: "face-row-name", "aria-hidden": "true" }, label),
      el("div", { class: "face-choices" }, die.faces.map((face, n) => {
        const sector = die.shape === "wheel" ? nameOf(page.virtue?.(face.text)) ?? face.text : null;
        const input = el("input", {
          type: "radio", name: single ? group : `${group}-${row}`, value: face.text, "data-die": die.name,
          "data-n": n + 1, "data-focus": `${die.name}-${face.text}`,
          "aria-label": sector ?? dieLabel(die, face.text),
          checked: faces[die.name] === face.text,
        });
        inputs.push(input);
        return el("label", { class: "face" }, input,
          sector === null ? drawDie(die, face.text, null) : el("span", { class: "sector" }, sector));
      })),
    );
  }));
  const chosen = () =>
    Object.fromEntries(inputs.filter((input) => input.checked).map((input) => [input.dataset.die, input.value]));
  const before = [faces]; // what was chosen before each choice
  const chose = () => {
    before.push(chosen());
    changed(chosen());
  };
  const show = (wanted) => {
    for (const input of inputs) input.checked = wanted[input.dataset.die] === input.value;
    changed(chosen());
  };
  const back = () => {
    if (before.length > 1) before.pop();
    show(before.at(-1));
  };
  node.addEventListener("change", chose);
  node.addEventListener("keydown",
    (event) => (event.key === "Backspace" ? back() : digit(event, dice, inputs, single, chose)));
  return {
    node,
    dice,
    faces: chosen,
    back,
    clear: () => {
      before.push({});
      show({});
    },
  };
}

/** Digits choose a face in the focused row and move to the next row. */
function digit(event, dice, inputs, single, changed) {
  if (!/^[1-6]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
  const die = event.target.dataset?.die;
  const hit = inputs.find((input) => input.dataset.die === die && input.dataset.n === event.key);
  if (!hit) return;
  event.preventDefault();
  hit.checked = true;
  changed();
  const next = dice[dice.findIndex((entry) => entry.name === die) + 1];
  (single || !next ? hit : focusRow(next.name, inputs)).focus();
}

const focusRow = (die, inputs) =>
  inputs.find((input) => input.dataset.die === die && input.checked)
    ?? inputs.find((input) => input.dataset.die === die);
