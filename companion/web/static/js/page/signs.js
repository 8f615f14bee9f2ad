/** The sign beside a page's large sentence. */

import { svg } from "./dom.js";

/** A drawing for each sign, in a square of 24, so that nobody must distinguish red from green: those of every page. */
export const SIGNS = {
  ask: "M8 9a4 4 0 1 1 5.500 3.700c-1 .5-1.500 1.100-1.500 2.300M12 19v.5",
  blind: "M3 12c5-7 13-7 18 0-5 7-13 7-18 0M4 20 20 4",
  none: "M6 6h12v12H6Z",
  lost: "M5 5l14 14M19 5 5 19",
};

/** Draw a sign of `signs`, with its words, if it is another one than before. */
export function drawSign(box, signs, sign, words) {
  if (box.dataset.sign === sign) return;
  box.dataset.sign = sign;
  const drawn = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: signs[sign] }));
  box.replaceChildren(drawn, words);
}
