/**
 * Drawings of the museum's three dice, from the front and a little from above; the long one has its real length. Before
 * each die lies what it threw, as blocks on its faces, and what a bet of one coin against it has become.
 */

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

const COINS = 20; // so many say that a die is biased
const ROOM = 46; // for the highest column of blocks
const FEW = 10; // blocks of a column that fill the room at least

/** How often each face came up, and the coins that the bet is worth (`value`: the logarithm of that). */
export function drawPile(counts, value) {
  const most = Math.max(FEW, ...counts);
  const level = 52 - (counts.reduce((all, one) => all + one, 0) / counts.length / most) * ROOM;
  const coins = Math.min(COINS, Math.floor(Math.exp(value) + 1e-9));
  return svg("svg", { viewBox: "0 0 120 86", class: coins < COINS ? "pile" : "pile caught", "aria-hidden": "true" },
    counts.map((count, n) => [
      svg("rect", { x: 5 + n * 19, y: 52 - (count / most) * ROOM, width: 15, height: (count / most) * ROOM,
        class: "blocks" }),
      PIPS[n + 1].map(([x, y]) => svg("circle", { cx: 12.5 + n * 19 + x * 4, cy: 60 + y * 4, r: 1.3, class: "pip" }))]),
    svg("path", { d: `M2 ${level}h116`, class: "even" }),
    Array.from({ length: COINS }, (_, n) => svg("circle", { cx: 11 + (n % 10) * 11, cy: 72 + Math.floor(n / 10) * 9,
      r: 3.6, class: n < coins ? "coin" : "coin missing" })));
}
