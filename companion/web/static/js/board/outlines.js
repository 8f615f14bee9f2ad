/**
 * What the camera recognised, outlined in its picture: each die with its face, each occupied place of a board with its
 * men.
 */

import { sidesOf, planOf } from "./plans.js";
import { byId, rebuild, svg } from "../page/dom.js";

const LETTERS = 0.045; // their size, as a share of the picture's width

/** @param {State} state */
export function showOutlines(state) {
  outline(byId("table-picture"), byId("table-outlines"), state, state.dice_camera === null && !state.two_cameras);
}

/**
 * Outline in a picture the dice, or the men of a board that it shows alone; again once it has come.
 * @param {State} state
 */
function outline(image, layer, state, board) {
  if (!image) return;
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  if (!width) {
    image.addEventListener("load", () => outline(image, layer, state, board), { once: true });
    return;
  }
  layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const { reading, watch } = state;
  rebuild(layer, [width, height, reading?.dice, board && watch, board && state.board?.men], () => {
    if (reading?.dice?.length) return dice(reading, width);
    return board && state.board && watch?.field.length && watch.finding ? men(state, width, height) : null;
  });
}

function dice(reading, width) {
  const scale = reading.width ? width / reading.width : 1;
  return reading.dice.filter(({ polygon, status }) =>
    polygon.length > 2 && status !== "ignored").map(({ polygon, face, status }) => {
    const corners = polygon.map(([x, y]) => [x * scale, y * scale]);
    return outlined(corners, status === "read" ? face : "?", status === "read", width * LETTERS);
  });
}

/** The occupied places, as the referee knows them; those that the camera reads otherwise are marked. */
function men({ board, watch }, width, height) {
  const plan = planOf(board.name, { lies: watch.seating?.lies });
  const seen = projection(plan.field, watch.field.map(([x, y]) => ({ x: x * width, y: y * height })));
  const differing = new Set(watch.finding.sites);
  return Object.entries(board.men).filter(([site]) =>
    plan.sites.includes(site) && !["hand", "off"].includes(site)).map(([site, there]) => {
    const { x, y, width: wide, height: high } = plan.area(site);
    const corners = [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]].map(seen);
    const label = there.shape ? there.number : sidesOf(there).map(([, count]) => count).join("+");
    return outlined(corners, differing.has(site) ? "?" : label, !differing.has(site), width * LETTERS,
      Boolean(there.shape));
  });
}

/** An outline with what it was read as, above it or `inside`; a doubt is dashed, so that the colour does not decide. */
function outlined(corners, label, sure, size, inside = false) {
  const [x, y] = [0, 1].map((axis) => corners.reduce((all, corner) => all + corner[axis] / corners.length, 0));
  const above = Math.max(Math.min(...corners.map((corner) => corner[1])) - size * 0.2, size * 0.8);
  const letters = inside ? size * 0.55 : size;
  return svg("g", { class: sure ? "outline" : "outline doubt" },
    svg("polygon", { points: corners.map((corner) => corner.map((value) => value.toFixed(1)).join(",")).join(" ") }),
    svg("text", { x, y: inside ? y + letters * 0.35 : above, "font-size": letters }, String(label)));
}

/** The map from the plane of a drawing to that of a picture that takes four corners to four others. */
function projection(from, to) {
  const rows = from.flatMap(({ x, y }, n) => [
    [x, y, 1, 0, 0, 0, -to[n].x * x, -to[n].x * y, to[n].x],
    [0, 0, 0, x, y, 1, -to[n].y * x, -to[n].y * y, to[n].y],
  ]);
  for (let at = 0; at < 8; at += 1) { // Gauss and Jordan
    const best = rows.slice(at).reduce((most, row, n) =>
      (Math.abs(row[at]) > Math.abs(rows[most][at]) ? at + n : most), at);
    [rows[at], rows[best]] = [rows[best], rows[at]];
    rows[at] = rows[at].map((value) => value / rows[at][at]);
    for (const [n, row] of rows.entries()) if (n !== at) rows[n] = row.map((value, m) => value - row[at] * rows[at][m]);
  }
  const [a, b, c, d, e, f, g, h] = rows.map((row) => row[8]);
  return (/** @type {number[]} */ [x, y]) => {
    const depth = g * x + h * y + 1;
    return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
  };
}
