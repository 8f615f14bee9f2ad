/** Dice drawn as SVG: Wibold's letter cubes with their letters where pips would be, the tetrahedron, pip dice. */

import { svg } from "../page/dom.js";
import { PIPS } from "../page/pips.js";
import { t } from "../page/texts.js";

// Letters need more room than pips: two columns, filled row by row in reading order.
const LETTERS = {
  1: [[0, 0]],
  2: [[-0.62, 0], [0.62, 0]],
  3: [[0, -0.72], [-0.72, 0.72], [0.72, 0.72]],
  4: [[-0.7, -0.7], [0.7, -0.7], [-0.7, 0.7], [0.7, 0.7]],
  5: [[-0.85, -0.85], [0.85, -0.85], [0, 0], [-0.85, 0.85], [0.85, 0.85]],
  6: [[-0.66, -1], [0.66, -1], [-0.66, 0], [0.66, 0], [-0.66, 1], [0.66, 1]],
};
const SIZE = { 1: 46, 2: 36, 3: 32, 4: 32, 5: 28, 6: 25 };

/** Letters, each at its place, in one element: a tablet is slow at the layout of each text element. */
const lettered = (face, places, size) =>
  svg("text", { x: places.map(([x]) => x).join(" "), y: places.map(([, y]) => y).join(" "), "font-size": size,
    class: "letter" }, face);

const MOST_WRITTEN = 8;

/** A text with a small letter names one mark, such as a sun. */
const names = (face) => /\p{Ll}/u.test(face);

/** A mark's name, or a face that no die of ours has, as an old record may name it: its text, as much as fits. */
const written = (face) => svg("text", { x: 50, y: 50, "font-size": Math.min(46, 130 / face.length), class: "letter" },
  face.slice(0, MOST_WRITTEN));

function cube(face, pips) {
  const places = pips ? PIPS[face] : names(face) ? null : LETTERS[face.length];
  const dots = () => places.map(([x, y]) => svg("circle", { cx: 50 + x * 22, cy: 49 + y * 22, r: 8.5, class: "pip" }));
  const letters = () => lettered(face, places.map(([x, y]) => [50 + x * 27, 49 + y * 27]), SIZE[face.length]);
  const marks = !places ? written(face) : pips ? dots() : letters();
  return [
    svg("rect", { x: 4, y: 6, width: 92, height: 92, rx: 17, class: "die-shadow" }),
    svg("rect", { x: 4, y: 3, width: 92, height: 92, rx: 17, class: "die-body" }),
    svg("rect", { x: 9, y: 8, width: 82, height: 82, rx: 13, class: "die-line" }),
    marks,
  ];
}

function tetrahedron(face) {
  const places = [[50, 38], [31, 66], [50, 69], [69, 66]].slice(0, names(face) ? 0 : 4);
  return [
    svg("path", { d: "M50 8 97 92 3 92Z", class: "die-shadow" }),
    svg("path", { d: "M50 4 97 88 3 88Z", class: "die-body" }),
    svg("path", { d: "M50 15 87.500 82.500 12.500 82.500Z", class: "die-line" }),
    face.length > places.length ? written(face)
      : svg("text", { x: places[0][0], y: places[0][1], "font-size": 23, class: "letter" }, face[0]),
    face.length > 1 && face.length <= places.length ? lettered(face.slice(1), places.slice(1, face.length), 21) : null,
  ];
}

/** A sector of a wheel at its pointer. */
function sector(face) {
  return [
    svg("circle", { cx: 50, cy: 50, r: 46, class: "die-body" }),
    svg("path", { d: "M50 4 42 16 58 16Z", class: "die-line" }),
    svg("text", { x: 50, y: 52, "font-size": 27, class: "letter" }, face),
  ];
}

function drawn(die, face) {
  if (die.shape === "wheel") return sector(face);
  return die.shape === "tetrahedron" ? tetrahedron(face) : cube(face, die.pips);
}

function blank(shape) {
  const outline =
    shape === "tetrahedron"
      ? svg("path", { d: "M50 4 97 88 3 88Z", class: "die-blank" })
      : svg("rect", { x: 4, y: 3, width: 92, height: 92, rx: 17, class: "die-blank" });
  return [outline, svg("text",
    { x: 50, y: shape === "tetrahedron" ? 60 : 50, "font-size": 36, class: "letter unknown" }, "?")];
}

/** The name of a die. */
export function dieName(die) {
  if (die.shape === "wheel") return t("dice.pointer");
  if (die.alike) return t("dice.pip_die", { name: die.name });
  return die.shape === "tetrahedron" ? t("dice.consonants") : t("dice.die", { name: die.name });
}

/** One die as a picture; without a face it appears as not read. `label` is the text for screen readers, or null. */
export function drawDie(die, face, label) {
  const inside = face ? drawn(die, face) : blank(die.shape);
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg("svg", { viewBox: "0 0 100 100", class: `die ${die.shape}`, ...named }, ...inside);
}

/** The text of a die for screen readers. */
export function dieLabel(die, face) {
  const name = dieName(die);
  if (!face) return t("dice.unread", { die: name });
  return t(die.counts === "down" ? "dice.hidden" : "dice.shows",
    { die: name, face: die.shape === "wheel" || names(face) ? face : [...face].join(" ") });
}

/** How sure a reading is, in words. */
export function sureness(confidence) {
  if (confidence >= 0.995) return t("dice.very_sure");
  if (confidence >= 0.95) return t("dice.sure");
  return confidence >= 0.8 ? t("dice.fairly_sure") : t("dice.unsure");
}
