/** The faces of a laboratory die: its outline, and its pips, letters or numeral. */

import { svg } from "../page/dom.js";
import { PIPS } from "../page/pips.js";
import { t } from "../page/texts.js";

const OUTLINES = {
  tetrahedron: { d: "M50 6 96 88 4 88Z", middle: 62 },
  octahedron: { d: "M50 3 96 50 50 97 4 50Z", middle: 50 },
  trapezohedron: { d: "M50 3 94 62 50 97 6 62Z", middle: 54 },
  dodecahedron: { d: "M50 4 96 38 79 93 21 93 4 38Z", middle: 53 },
  icosahedron: { d: "M50 3 92 27 92 74 50 97 8 74 8 27Z", middle: 50 },
};

/**
 * The die of a series, from the laboratory's sets: {name, shape, faces}; one without a set has its shape for its name.
 */
export function dieOf(setup, { set, die }) {
  return setup.dice_sets[set]?.dice.find((one) => one.name === die)
    ?? { name: die, shape: die in OUTLINES ? die : "cube", faces: [] };
}

/** The name of an outcome: the text of its face; distinguished twin faces also have their number. */
export function labelName(label) {
  const [text, twin] = label.split("/");
  return twin ? t("lab.twin", { face: text, number: Number(twin) }) : text;
}

/** The same in short, for small spaces: the second X is X₂. */
export const shortLabel = (label) => label.replace(/\/(\d)$/, (_, twin) => "₀₁₂₃₄₅₆₇₈₉"[twin]);

/** One face as a picture that screen readers skip, because its container names it. Without a label: not read. */
export function drawFace(die, label) {
  const outline = OUTLINES[die.shape];
  const body = outline
    ? svg("path", { d: outline.d, class: "die-body" })
    : svg("rect", { x: 4, y: 4, width: 92, height: 92, rx: 17, class: "die-body" });
  const known = label !== null && label !== undefined;
  if (!known) body.setAttribute("class", "die-blank");
  return svg("svg", { viewBox: "0 0 100 100", class: `die ${die.shape}`, "aria-hidden": "true" }, body,
    known ? marks(die, label, outline?.middle ?? 50) : text("?", 50, 40, outline?.middle ?? 50));
}

function marks(die, label, middle) {
  const [face, twin] = label.split("/");
  const pips = die.faces.find((one) => one.text === face)?.pips;
  if (pips && PIPS[pips]) return PIPS[pips].map(([x, y]) =>
    svg("circle", { cx: 50 + x * 23, cy: middle + y * 23, r: 8.5, class: "pip" }));
  const size = Math.min(OUTLINES[die.shape] ? 34 : 46, (OUTLINES[die.shape] ? 74 : 104) / Math.max(1, face.length));
  return [text(face, 50, size, middle),
    twin ? svg("text", { x: 84, y: 84, "font-size": 20, class: "letter" }, twin) : null].filter(Boolean);
}

const text = (words, x, size, y) => svg("text", { x, y: y + 1, "font-size": size, class: "letter" }, words);
