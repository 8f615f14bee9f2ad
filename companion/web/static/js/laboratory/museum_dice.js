/** Drawings of the museum's three dice, from the front and a little from above; the long one has its real length. */

import { svg } from "../page/dom.js";
import { PIPS } from "../page/pips.js";

const SIDE = 58;
const LEAN = 20; // how far the receding edges go sideways and up
const SQUARE = ["3", "4"]; // on the square ends of a long die

/** A die that shows a face to the viewer; `long`: its length divided by its width. */
export function drawDie({ edges }, face) {
  const long = edges[2];
  const end = SQUARE.includes(face);
  const wide = end ? SIDE : SIDE * long;
  const lean = end ? LEAN * long : LEAN;
  const [x, y] = [(120 - wide - lean) / 2, 30 + (SIDE - 58) / 2];
  const roman = long > 1;
  return svg("svg", { viewBox: "0 0 120 100", class: roman ? "museum-die roman" : "museum-die", "aria-hidden": "true" },
    svg("ellipse", { cx: 62, cy: y + SIDE + 1, rx: wide * 0.62, ry: 6, class: "under" }),
    svg("path", { d: `M${x} ${y}l${lean} ${-LEAN}h${wide}l${-lean} ${LEAN}Z`, class: "top-face" }),
    svg("path", { d: `M${x + wide} ${y}l${lean} ${-LEAN}v${SIDE}l${-lean} ${LEAN}Z`, class: "side-face" }),
    svg("rect", { x, y, width: wide, height: SIDE, rx: 3, class: "front-face" }),
    PIPS[face].map(([across, down]) =>
      pip(x + wide / 2 + across * wide * 0.27, y + SIDE / 2 + down * SIDE * 0.27, roman)));
}

/** The Romans cut a dot with a ring around it. */
const pip = (cx, cy, roman) =>
  [roman ? svg("circle", { cx, cy, r: 6.2, class: "ring" }) : null,
    svg("circle", { cx, cy, r: roman ? 2.4 : 5.4, class: "pip" })].filter(Boolean);
