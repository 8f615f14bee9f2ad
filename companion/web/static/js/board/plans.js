/** The layout of drawn boards: the 24 points of tables, the squares of Rithmomachia, the free board of three rows. */

import { svg } from "../page/dom.js";
import { rosette } from "./materials.js";

export const UNIT = 60;
const POINTS = "abcdefghiklmnopqrstuwxyz"; // as Murray names them: no j, no v
const MOST_DRAWN = 5; // men in one stack; further men lie on top of them
const POINT_HEIGHT = 4.4;
const TALL = matchMedia("(max-width: 767px)");
const LIES = {
  "as named": (n) => n,
  turned: (n) => (n + 12) % 24,
  mirrored: (n) => (n < 12 ? 11 - n : 35 - n),
  flipped: (n) => 23 - n,
};

/** Call `redraw` when the page becomes narrow or wide enough for another drawing. */
export const onTurn = (redraw) => TALL.addEventListener("change", redraw);
export const isTall = () => TALL.matches;

/**
 * The plan of a board: `kind`, `width`, `height`, `ground` to draw, `sites` by name, `area(site)` {x, y, width,
 * height}, `place(site)` {x, y} where an arrow ends, `men(site, men)` to draw, and `field`, the corners of the playing
 * field as the camera sees them, clockwise from the top left (not of a free board); `dot(site)`, where a target is
 * marked, if not in the middle of its area. `options`: `lies` and `colours` of the seating.
 */
export function planOf(name, options) {
  if (name === "tables") return tables(options);
  return name === "xii-scripta" ? rows(options) : squares(name, options);
}

/** The number of men of each side; a pile seen from above may have more. */
export const sidesOf = (men) => Object.entries(men).filter(([side]) => side !== "piled");

/** @param {any} side @param {{ colours?: any }} seating */
export const colourOf = (side, { colours }) =>
  Object.entries(colours ?? {}).find(([, owner]) => String(owner) === String(side))?.[0]
    ?? (String(side) === "1" ? "light" : "dark");

/** A turned disc with its shadow and its groove. */
const man = (x, y, colour, r = 25) =>
  svg("g", { class: `man ${colour}` },
    svg("circle", { cx: x + 1.5, cy: y + 3, r, class: "shadow" }), svg("circle", { cx: x, cy: y, r }),
    svg("circle", { cx: x, cy: y, r: r * 0.68, class: "groove" }));
const unseen = (x, y) => svg("text", { x, y, class: "unseen-site" }, "?");

/** A board drawn in landscape and, on a narrow page, turned by a quarter: converts its places, boxes and outlines. */
function turning(width, height) {
  const tall = isTall();
  const place = ({ x, y }) => (tall ? { x: height - y, y: x } : { x, y });
  return {
    width: tall ? height : width,
    height: tall ? width : height,
    place,
    box: (x, y, w, h) => (tall ? { x: height - y - h, y: x, width: h, height: w } : { x, y, width: w, height: h }),
    line: (corners) => corners.map(([x, y]) => place({ x, y })).map((at) => `${at.x},${at.y}`).join(" "),
  };
}

function tables(options) {
  const way = LIES[options.lies] ?? LIES["as named"];
  const height = 11 * UNIT;
  const bears = options?.bears !== false;
  const width = (bears ? 14 : 13) * UNIT;
  const turn = turning(width, height);
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
      svg("polygon", { points: turn.line([[x - 27, base], [x, tip], [x + 27, base]]),
        class: n % 2 ? "point odd" : "point" }),
      svg("text", { ...turn.place({ x, y: below ? height - 13 : 14 }), class: "site-name" }, site),
    ];
  };
  const beside = { hand: 6, bar: 6, off: 13 };
  const area = (site) => {
    if (site in beside) return turn.box(beside[site] * UNIT + 2, 2, UNIT - 4, height - 4);
    const { x, below } = at(site);
    const long = (POINT_HEIGHT + 0.9) * UNIT - 3;
    return turn.box(x - 29, below ? height - long - 3 : 3, 58, long);
  };
  const place = (site) => {
    if (site in beside) return turn.place({ x: (beside[site] + 0.5) * UNIT, y: height / 2 });
    const where = at(site);
    return turn.place({ x: where.x, y: foot(where, 1.2) });
  };
  return {
    kind: "tables",
    width: turn.width,
    height: turn.height,
    field: [[0, 0.45], [13, 0.45], [13, 10.55], [0, 10.55]].map(([x, y]) => turn.place({ x: x * UNIT, y: y * UNIT })),
    narrow: !bears,
    sites: [...POINTS, "hand", ...(bears ? ["off"] : [])],
    ground: [
      svg("rect", { ...turn.box(0, 0, 13 * UNIT, height), class: "field" }),
      svg("rect", { ...turn.box(6 * UNIT, 0, UNIT, height), class: "bar" }),
      bears ? svg("rect", { ...turn.box(13 * UNIT, 0, UNIT, height), class: "beside" }) : null,
      [...POINTS].map(point),
      [1.2, 3.3, 7.7, 9.8].map((at) => turn.place({ x: 6.5 * UNIT, y: at * UNIT })).map(({ x, y }) =>
        rosette(x, y, 20)),
    ],
    area,
    place,
    dot: place,
    men: (site, men) => {
      if (site in beside) return aside(men, place(site), options);
      const where = at(site);
      if (men.hidden) return unseen(...Object.values(turn.place({ x: where.x, y: foot(where, 1) })));
      let placed = 0;
      return sidesOf(men).map(([side, count]) => {
        const pieces = Array.from({ length: Math.min(count, MOST_DRAWN) }, (_, k) => {
          const { x, y } = turn.place({ x: where.x, y: foot(where, placed + k) });
          return man(x, y, colourOf(side, options));
        });
        placed += pieces.length;
        if (count > MOST_DRAWN || men.piled)
          pieces.push(svg("text", { ...turn.place({ x: where.x, y: foot(where, placed - 1) }),
            class: `count on-${colourOf(side, options)}` }, men.piled ? `${count}+` : String(count)));
        return pieces;
      });
    },
  };
}

/** Men in hand and borne off: one man of each side with the number. */
function aside(men, { x, y }, options) {
  if (men.hidden) return unseen(x, y);
  return sidesOf(men).map(([side, count], k) => {
    const off = (k - 0.5) * UNIT;
    const at = isTall() ? { x: x + off, y } : { x, y: y + off };
    return [man(at.x, at.y, colourOf(side, options)),
      svg("text", { ...at, class: `count on-${colourOf(side, options)}` }, String(count))];
  });
}

/** Three rows of twelve places, and the hand beside them. */
function rows(options) {
  const step = 1.3 * UNIT;
  const [width, height] = [13.4 * UNIT, 3 * step + UNIT * 0.6];
  const turn = turning(width, height);
  const corner = (site) => (site === "hand" ? [12.2 * UNIT, 0.3 * UNIT]
    : [(Number(site.slice(1)) - 1) * UNIT + 0.1 * UNIT, "ABC".indexOf(site[0]) * step + 0.3 * UNIT]);
  const area = (site) => turn.box(...corner(site), UNIT, site === "hand" ? 3 * step - 8 : step - 8);
  const middle = (site) => {
    const { x, y, width: wide, height: high } = area(site);
    return { x: x + wide / 2, y: y + high / 2 };
  };
  const sites = [..."ABC"].flatMap((row) => Array.from({ length: 12 }, (_, n) => `${row}${n + 1}`));
  return {
    kind: "rows",
    width: turn.width,
    height: turn.height,
    sites: [...sites, "hand"],
    ground: [
      svg("rect", { x: 0, y: 0, width: turn.width, height: turn.height, class: "field" }),
      sites.map((site) => svg("rect",
        { ...area(site), rx: 8, class: (Number(site.slice(1)) + "ABC".indexOf(site[0])) % 2 ? "square odd"
          : "square" })),
      svg("rect", { ...area("hand"), rx: 8, class: "beside" }),
      sites.map((site) => svg("text", { x: area(site).x + 4, y: area(site).y + 11, class: "site-name small" }, site)),
    ],
    area,
    place: middle,
    men: (site, men) => {
      const { x, y } = middle(site);
      const sides = sidesOf(men);
      const apart = isTall() ? [1, 0] : [0, 1];
      return sides.map(([side, count], k) => {
        const off = sides.length > 1 ? (k - 0.5) * (site === "hand" ? 60 : 30) : 0;
        const at = { x: x + off * apart[0], y: y + off * apart[1] };
        return [man(at.x, at.y, colourOf(side, options), sides.length > 1 && site !== "hand" ? 15 : 22),
          svg("text", { ...at, class: `count small on-${colourOf(side, options)}` }, String(count))];
      });
    },
  };
}

function squares(name, options) {
  const ranks = Number(name.split("x")[1]) || 16;
  const tall = isTall();
  const turned = options.lies === "turned";
  const across = tall ? 8 : ranks;
  const down = tall ? ranks : 8;
  const cell = (site) => {
    let file = site.charCodeAt(0) - 97;
    let rank = Number(site.slice(1)) - 1;
    if (turned) [file, rank] = [7 - file, ranks - 1 - rank];
    return tall ? { column: 7 - file, row: rank } : { column: rank, row: file };
  };
  const rim = tall ? UNIT / 3 : UNIT / 2;
  const place = (site) => {
    const { column, row } = cell(site);
    return { x: rim + (column + 0.5) * UNIT, y: rim + (row + 0.5) * UNIT };
  };
  const area = (site) => {
    const { x, y } = place(site);
    return { x: x - 29, y: y - 29, width: 58, height: 58 };
  };
  const names = [...Array(8).keys()].flatMap((file) =>
    Array.from({ length: ranks }, (_, rank) => `${String.fromCharCode(97 + file)}${rank + 1}`));
  const rimName = (site, text, side) => {
    const { x, y } = place(site);
    return svg("text", { ...(side === "row" ? { x: rim / 2, y } : { x, y: rim / 2 }), class: "site-name" }, text);
  };
  const first = turned ? `h${ranks}` : "a1";
  const [width, height] = [across * UNIT + 2 * rim, down * UNIT + 2 * rim];
  const [right, low] = [width - rim, height - rim];
  const corners = [[rim, rim], [right, rim], [right, low], [rim, low]].map(([x, y]) => ({ x, y }));
  return {
    kind: "squares",
    width,
    height,
    field: tall ? [...corners.slice(1), corners[0]] : corners, // upright, it is turned by a quarter
    sites: names,
    ground: [
      svg("rect", { x: 0, y: 0, width, height, class: "bar" }),
      corners.map(({ x, y }) => rosette(x < width / 2 ? x - rim / 2 : x + rim / 2,
        y < height / 2 ? y - rim / 2 : y + rim / 2, rim * 0.36)),
      names.map((site) => {
        const { x, y } = place(site);
        const { column, row } = cell(site);
        return svg("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT,
          class: (column + row) % 2 ? "square odd" : "square" });
      }),
      [..."abcdefgh"].map((file) => rimName(`${file}${first.slice(1)}`, file, tall ? "column" : "row")),
      Array.from({ length: ranks }, (_, rank) => rimName(`${first[0]}${rank + 1}`, rank + 1, tall ? "row" : "column")),
    ],
    place,
    area,
    men: (site, men) => {
      const { x, y } = place(site);
      return men.hidden ? unseen(x, y) : numberedMan(men, x, y);
    },
  };
}

const OUTLINES = {
  triangle: [[0, -27], [28, 24], [-28, 24]],
  square: [[-24, -24], [24, -24], [24, 24], [-24, 24]],
  pyramid: [[-27, 25], [-27, 8], [-17, 8], [-17, -8], [-7, -8], [-7, -26], [7, -26], [7, -8], [17, -8], [17, 8],
    [27, 8], [27, 25]],
};

/** A man with his shape and number around a centre; a pyramid shows how many parts it still has. */
export function numberedMan(men, x, y) {
  const outline = OUTLINES[men.shape];
  const shape = (dx, dy, name) => outline
    ? svg("polygon", { points: outline.map(([px, py]) => `${x + px + dx},${y + py + dy}`).join(" "), class: name })
    : svg("circle", { cx: x + dx, cy: y + dy, r: 26, class: name });
  const body = svg("g", { class: `man ${men.colour}` }, shape(1.5, 2.5, "shadow"), shape(0, 0, null));
  const low = men.shape === "triangle" || men.shape === "pyramid" ? 10 : 0;
  return [body, svg("text", { x, y: y + low, class: `number on-${men.colour} digits-${String(men.number).length}` },
    String(men.number))];
}
