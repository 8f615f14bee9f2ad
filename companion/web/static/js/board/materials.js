/**
 * What boards and men are made of: bone, horn, oak and vellum, as a few gradients and patterns that every drawing of a
 * page shares.
 */

import { svg } from "../page/dom.js";

const ID = "materials";

/** Stops of a gradient: [share, colour] each. */
const stops = (list) => list.map(([offset, colour]) => svg("stop", { offset, "stop-color": colour }));

/** A turned disc under a lamp at the upper left. */
const turned = (id, list) => svg("radialGradient", { id, cx: 0.36, cy: 0.3, r: 0.78 }, stops(list));

const down = (id, list) => svg("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 }, stops(list));

/** Lines of grain on a ground. */
const grain = (id, width, height, ground, line, paths) =>
  svg("pattern", { id, width, height, patternUnits: "userSpaceOnUse" },
    svg("rect", { width, height, fill: ground }),
    paths.map((d, n) => svg("path",
      { d, fill: "none", stroke: line, "stroke-width": n % 2 ? 1.2 : 2, opacity: n % 3 ? 0.35 : 0.22 })));

/** Put the materials into the page, once; style sheets fill shapes with them by their names. */
export function bringMaterials() {
  if (document.getElementById(ID)) return;
  document.body.append(svg("svg", { id: ID, class: "unseen", "aria-hidden": "true" }, svg("defs", {},
    turned("bone", [[0, "#fffef8"], [0.55, "#f3e8cd"], [1, "#c8b184"]]),
    turned("horn", [[0, "#6a4837"], [0.5, "#3d261b"], [1, "#190d07"]]),
    down("inlay-light", [[0, "#cfa36c"], [1, "#a8763f"]]),
    down("inlay-dark", [[0, "#855a37"], [1, "#55351d"]]),
    grain("oak", 240, 90, "#f1e2bf", "#c29a62", [
      "M0 8C60 3 110 15 170 9S230 5 240 8", "M0 24C40 30 90 19 140 25S220 28 240 24",
      "M0 41C70 35 130 47 180 41S225 38 240 41",
      "M0 57C50 62 100 51 150 58S220 60 240 57", "M0 74C60 69 120 80 170 74S230 71 240 74",
      "M0 86C50 84 120 89 240 86"]),
    grain("walnut", 240, 60, "#c3a06a", "#7d5a2f", [
      "M0 9C60 4 110 16 170 10S230 6 240 9", "M0 26C40 32 90 21 140 27S220 30 240 26",
      "M0 42C70 37 130 48 180 43S225 40 240 42",
      "M0 54C50 51 120 57 240 54"]),
    grain("vellum", 120, 120, "#f5eacf", "#cdb88c",
      ["M3 20c8 3 15-2 22 1", "M70 48c6-3 12 3 20 0", "M30 92c9 2 14-3 24 0", "M92 104c5 2 9-1 14 1"]),
    grain("vellum-dark", 120, 120, "#dcc597", "#a98c55",
      ["M10 14c8 3 15-2 22 1", "M64 58c6-3 12 3 20 0", "M20 84c9 2 14-3 24 0", "M84 108c5 2 9-1 14 1"]))));
}

/** A four-leaved flower in a ring, as on the bars and corners of boards in pictures of the thirteenth century. */
export function rosette(x, y, r) {
  const leaf = (turn) => svg("ellipse",
    { cx: x, cy: y - r * 0.45, rx: r * 0.26, ry: r * 0.42, transform: `rotate(${turn} ${x} ${y})` });
  return svg("g", { class: "ornament" },
    svg("circle", { cx: x, cy: y, r, class: "ring-of" }), [45, 135, 225, 315].map(leaf),
    svg("circle", { cx: x, cy: y, r: r * 0.16, class: "heart" }));
}
