/** Boards with men as SVG: the 24 points of tables and the squares of Rithmomachia, drawn as they lie under the camera. */

import { svg } from "./dom.js";
import { t } from "./texts.js";

const POINTS = "abcdefghiklmnopqrstuwxyz"; // as Murray names them: no j, no v
const UNIT = 60;
const MOST_DRAWN = 5; // men one above the other; more lie on them
const POINT_HEIGHT = 4.4;
const TALL = matchMedia("(max-width: 767px)");
const LIES = {
  "as named": (n) => n,
  turned: (n) => (n + 12) % 24,
  mirrored: (n) => (n < 12 ? 11 - n : 35 - n),
  flipped: (n) => 23 - n,
};

/**
 * Draw a board. `board`: {name, men}, men as the game says them; `options`: `lies` and `colours` of the seating,
 * `arrows` [{from, to}], `marked` sites, `label` for whoever hears it.
 */
export function drawBoard(board, options = {}) {
  const plan = board.name === "tables" ? tables(options) : squares(board.name, options);
  const { width, height } = plan;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": options.label ?? "", class: `men-board ${plan.kind}${width < height ? " tall" : ""}` },
    plan.ground,
    Object.entries(board.men ?? {}).map(([site, men]) => plan.men(site, men)),
    (options.marked ?? []).map((site) => plan.mark(site)),
    (options.arrows ?? []).map((arrow) => arrowOf(arrow, plan, options.kind ?? "")));
}

/** Every site with men in words, for screen readers. */
export function described(board, options = {}) {
  const said = Object.entries(board.men ?? {}).map(([site, men]) => `${site}: ${sayMen(men, options)}`);
  return said.length ? said.join("; ") : t("men.empty");
}

/** What stands on a site in words. */
export function sayMen(men, options = {}) {
  if (!men) return t("men.nothing");
  if (men.hidden) return t("men.hidden");
  if (men.shape) return t("men.numbered", { colour: t(`men.${men.colour}`), shape: t(`men.${men.shape}`), number: men.number });
  const more = men.piled ? "+" : "";
  return sidesOf(men).map(([side, count]) => t("men.counted", { count: `${count}${more}`, colour: t(`men.${colourOf(side, options)}`) })).join(", ");
}

/** How many men of each side; of a pile that is seen from above there may be more. */
const sidesOf = (men) => Object.entries(men).filter(([side]) => side !== "piled");

const colourOf = (side, { colours }) =>
  Object.entries(colours ?? {}).find(([, owner]) => String(owner) === String(side))?.[0] ?? (String(side) === "1" ? "light" : "dark");

function tables(options) {
  const way = LIES[options.lies] ?? LIES["as named"];
  const height = 11 * UNIT;
  const width = 14 * UNIT;
  const column = (n) => (n < 12 ? 12 - n - (n >= 6 ? 1 : 0) : n - 12 + (n >= 18 ? 1 : 0)); // 6 is the bar
  const at = (site) => {
    const n = way(POINTS.indexOf(site));
    return { x: (column(n) + 0.5) * UNIT, below: n < 12 };
  };
  const foot = ({ below }, k) => (below ? height - (k + 1) * UNIT * 0.92 : (k + 1) * UNIT * 0.92);
  const point = (site, n) => {
    const { x, below } = at(site);
    const base = below ? height - 0.45 * UNIT : 0.45 * UNIT;
    const tip = below ? height - POINT_HEIGHT * UNIT : POINT_HEIGHT * UNIT;
    return [
      svg("path", { d: `M${x - 27} ${base}L${x} ${tip}L${x + 27} ${base}Z`, class: n % 2 ? "point odd" : "point" }),
      svg("text", { x, y: below ? height - 13 : 14, class: "site-name" }, site),
    ];
  };
  const beside = { hand: { x: 6.5 * UNIT, y: height / 2 }, off: { x: 13.5 * UNIT, y: height / 2 } };
  return {
    kind: "tables",
    width,
    height,
    ground: [
      svg("rect", { x: 0, y: 0, width: 13 * UNIT, height, class: "field" }),
      svg("rect", { x: 6 * UNIT, y: 0, width: UNIT, height, class: "bar" }),
      svg("rect", { x: 13 * UNIT, y: 0, width: UNIT, height, class: "beside" }),
      [...POINTS].map(point),
    ],
    place: (site) => {
      if (beside[site]) return beside[site];
      const where = at(site);
      return { x: where.x, y: foot(where, 1.2) };
    },
    mark: (site) => {
      if (beside[site] || site === "bar") return svg("rect", { x: 6 * UNIT + 2, y: 2, width: UNIT - 4, height: height - 4, class: "off-site" });
      const { x, below } = at(site);
      const top = below ? height - (POINT_HEIGHT + 0.9) * UNIT : 3;
      return svg("rect", { x: x - 29, y: top, width: 58, height: (POINT_HEIGHT + 0.9) * UNIT - 3, rx: 8, class: "off-site" });
    },
    men: (site, men) => {
      if (beside[site] || site === "bar") return aside(men, beside[site === "bar" ? "hand" : site], options);
      const where = at(site);
      if (men.hidden) return unseen(where.x, foot(where, 1));
      let placed = 0;
      return sidesOf(men).map(([side, count]) => {
        const drawn = Math.min(count, MOST_DRAWN);
        const pieces = Array.from({ length: drawn }, (_, k) => man(where.x, foot(where, placed + k), colourOf(side, options), ""));
        placed += drawn;
        pieces.push(svg("text", { x: where.x, y: foot(where, placed - 1), class: `count on-${colourOf(side, options)}` }, men.piled ? `${count}+` : String(count)));
        return pieces;
      });
    },
  };
}

/** Men in hand and borne off: one of each side with their number. */
function aside(men, { x, y }, options) {
  if (men.hidden) return unseen(x, y);
  return sidesOf(men).map(([side, count], k) => {
    const middle = y + (k - 0.5) * UNIT;
    return [man(x, middle, colourOf(side, options), ""), svg("text", { x, y: middle, class: `count on-${colourOf(side, options)}` }, String(count))];
  });
}

const man = (x, y, colour) => svg("circle", { cx: x, cy: y, r: 25, class: `man ${colour}` });
const unseen = (x, y) => svg("text", { x, y, class: "unseen-site" }, "?");

function squares(name, options) {
  const ranks = Number(name.split("x")[1]) || 16;
  const tall = TALL.matches;
  const turned = options.lies === "turned";
  const across = tall ? 8 : ranks;
  const down = tall ? ranks : 8;
  const cell = (site) => {
    let file = site.charCodeAt(0) - 97;
    let rank = Number(site.slice(1)) - 1;
    if (turned) [file, rank] = [7 - file, ranks - 1 - rank];
    return tall ? { column: 7 - file, row: rank } : { column: rank, row: file };
  };
  const rim = UNIT / 2;
  const place = (site) => {
    const { column, row } = cell(site);
    return { x: rim + (column + 0.5) * UNIT, y: rim + (row + 0.5) * UNIT };
  };
  const names = [...Array(8).keys()].flatMap((file) => Array.from({ length: ranks }, (_, rank) => `${String.fromCharCode(97 + file)}${rank + 1}`));
  const rimName = (site, text, side) => {
    const { x, y } = place(site);
    return svg("text", { ...(side === "row" ? { x: rim / 2, y } : { x, y: rim / 2 }), class: "site-name" }, text);
  };
  const first = turned ? `h${ranks}` : "a1";
  const files = [..."abcdefgh"].map((file) => rimName(`${file}${first.slice(1)}`, file, tall ? "column" : "row"));
  const numbers = Array.from({ length: ranks }, (_, rank) => rimName(`${first[0]}${rank + 1}`, rank + 1, tall ? "row" : "column"));
  return {
    kind: "squares",
    width: across * UNIT + 2 * rim,
    height: down * UNIT + 2 * rim,
    ground: [
      svg("rect", { x: 0, y: 0, width: across * UNIT + 2 * rim, height: down * UNIT + 2 * rim, class: "bar" }),
      names.map((site) => {
        const { x, y } = place(site);
        const { column, row } = cell(site);
        return svg("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: (column + row) % 2 ? "square odd" : "square" });
      }),
      files,
      numbers,
    ],
    place,
    mark: (site) => {
      const { x, y } = place(site);
      return svg("rect", { x: x - 28, y: y - 28, width: 56, height: 56, rx: 6, class: "off-site" });
    },
    men: (site, men) => {
      const { x, y } = place(site);
      return men.hidden ? unseen(x, y) : numbered(men, x, y);
    },
  };
}

const OUTLINES = {
  triangle: [[0, -26], [26, 22], [-26, 22]],
  square: [[-23, -23], [23, -23], [23, 23], [-23, 23]],
  pyramid: [[-26, 24], [-26, 8], [-15, 8], [-15, -8], [-6, -8], [-6, -25], [6, -25], [6, -8], [15, -8], [15, 8], [26, 8], [26, 24]],
};

function numbered(men, x, y) {
  const outline = OUTLINES[men.shape];
  const body = outline
    ? svg("polygon", { points: outline.map(([dx, dy]) => `${x + dx},${y + dy}`).join(" "), class: `man ${men.colour}` })
    : svg("circle", { cx: x, cy: y, r: 25, class: `man ${men.colour}` });
  const low = men.shape === "triangle" || men.shape === "pyramid" ? 9 : 0;
  return [body, svg("text", { x, y: y + low, class: `number on-${men.colour} digits-${String(men.number).length}` }, String(men.number))];
}

/** One man's way; where he only leaves or comes, a ring around the place. */
function arrowOf({ from, to }, plan, kind) {
  if (!from || !to) {
    const { x, y } = plan.place(from || to);
    return svg("circle", { cx: x, cy: y, r: 30, class: `ring ${kind} ${from ? "leaves" : "comes"}` });
  }
  const [start, end] = [plan.place(from), plan.place(to)];
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const tip = { x: end.x - dx * 6, y: end.y - dy * 6 };
  const neck = { x: tip.x - dx * 24, y: tip.y - dy * 24 };
  const head = [tip, { x: neck.x - dy * 13, y: neck.y + dx * 13 }, { x: neck.x + dy * 13, y: neck.y - dx * 13 }];
  return svg("g", { class: `arrow ${kind}` },
    svg("line", { x1: start.x, y1: start.y, x2: neck.x, y2: neck.y }),
    svg("polygon", { points: head.map((corner) => `${corner.x.toFixed(1)},${corner.y.toFixed(1)}`).join(" ") }));
}

/** Call when the page has become narrow or wide enough for another drawing. */
export const onTurn = (redraw) => TALL.addEventListener("change", redraw);
export const isTall = () => TALL.matches;
