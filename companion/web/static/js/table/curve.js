/** Curves: acquired virtues over throws, with the exact expectation behind; chances to win over a match. */

import { BASE, byId, el, rebuild, svg } from "../page/dom.js";
import { number, t } from "../page/texts.js";

const WIDTH = 340;
const HEIGHT = 150;
const LEFT = 30;
const BOTTOM = 26;
const TOP = 8;
const HEIGHTS = [8, 12, 20, 28, 40]; // virtues at the end of the axis, before it reaches all
const expectations = new Map();

/** Load the expectation of a game with its options, once; redraw the curve when it arrives. */
function expectation(match, redraw) {
  const slug = `${match.game}?${new URLSearchParams(match.options)}`;
  if (!expectations.has(slug)) {
    expectations.set(slug, null);
    fetch(`${BASE}/api/expected/${slug}`)
      .then((response) => (response.ok ? response.json() : null))
      .then((answer) => {
        expectations.set(slug, answer?.points ?? null);
        redraw();
      })
      .catch(() => {});
  }
  return expectations.get(slug);
}

/** A round number of throws for the end of the axis. */
function reach(throws) {
  for (let power = 10; ; power *= 10)
    for (const step of [1, 2, 3, 5, 8]) if (step * power >= throws * 1.15 && step * power >= 20) return step * power;
}

/** @param {State} state @param {TablePage} page */
export function showCurve(state, page) {
  const match = state.match;
  const expected = match?.of ? expectation(match, page.redraw) : null; // only games of virtues have it
  rebuild(byId("curve"), [match?.game, match?.throws, match?.acquired, state.curve?.length, expected?.length], () =>
    match?.of ? draw(state, expected) : el("p", { class: "hint" }, t("log.empty")));
}

/** @param {InMatch} state */
function draw(state, expected) {
  const { throws, acquired, of } = state.match;
  const most = reach(throws);
  const known = (expected ?? []).filter(([at]) => at <= most);
  const top = HEIGHTS.find((height) => height >= Math.max(acquired, known.at(-1)?.[1] ?? 0, 6) * 1.08 && height < of)
    ?? of;
  const x = (n) => LEFT + (n / most) * (WIDTH - LEFT - 6);
  const y = (n) => HEIGHT - BOTTOM - (n / top) * (HEIGHT - BOTTOM - TOP);
  const steps = state.curve ?? [];
  let path = `M${x(0)} ${y(0)}`;
  for (const [at, count] of steps) path += `H${x(at).toFixed(1)}V${y(count).toFixed(1)}`;
  path += `H${x(throws).toFixed(1)}`;
  const behind = known.map(([at, mean], n) => `${n ? "L" : "M"}${x(at).toFixed(1)} ${y(mean).toFixed(1)}`).join("");
  const now = at(expected, throws);
  const marks = [0, top / 4, top / 2, (top * 3) / 4, top].map(Math.round);
  const figure = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("curve.label"),
    class: "curve-drawing" },
    marks.map((mark) => [
      svg("line", { x1: LEFT, x2: WIDTH - 6, y1: y(mark), y2: y(mark), class: "grid" }),
      svg("text", { x: LEFT - 6, y: y(mark), class: "tick end" }, String(mark)),
    ]),
    [0, most / 2, most].map((mark) =>
      svg("text", { x: x(mark), y: HEIGHT - 9, class: mark === most ? "tick end" : mark ? "tick middle" : "tick" },
        String(mark))),
    behind ? svg("path", { d: `${behind}L${x(known.at(-1)[0]).toFixed(1)} ${y(0)}L${x(0)} ${y(0)}Z`,
      class: "expected-area" }) : null,
    behind ? svg("path", { d: behind, class: "expected" }) : null,
    svg("path", { d: path, class: "actual" }),
    svg("circle", { cx: x(throws), cy: y(acquired), r: 4.5, class: "actual-end" }));
  return [
    figure,
    el("p", { class: "legend" },
      el("span", { class: "key actual-key" }, t("curve.actual")),
      behind ? el("span", { class: "key expected-key" }, t("curve.expected")) : null,
      el("span", { class: "axis" }, t("curve.throws"))),
    now === null || throws === 0 ? null
      : el("p", { class: "hint" }, t("curve.now", { acquired, throw: throws, expected: number(now, 1) })),
  ];
}

/** A player's chance to win after each move that was looked over, of `count` moves in all. */
export function chancesCurve(moves, count, label) {
  const x = (n) => LEFT + (n / Math.max(1, count)) * (WIDTH - LEFT - 6);
  const y = (chance) => HEIGHT - BOTTOM - chance * (HEIGHT - BOTTOM - TOP);
  const path = moves.map((one, n) =>
    `${n ? "L" : "M"}${x(one.move + 1).toFixed(1)} ${y(one.chance).toFixed(1)}`).join("");
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "curve-drawing" },
    [0, 0.5, 1].map((mark) => [
      svg("line", { x1: LEFT, x2: WIDTH - 6, y1: y(mark), y2: y(mark), class: "grid" }),
      svg("text", { x: LEFT - 6, y: y(mark), class: "tick end" }, String(100 * mark)),
    ]),
    svg("path", { d: path, class: "actual" }));
}

/** The expectation after n throws, between the known points. */
function at(points, n) {
  if (!points?.length) return null;
  const next = points.findIndex(([throws]) => throws >= n);
  if (next < 0) return points.at(-1)[1];
  if (next === 0) return points[0][1];
  const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
  return y0 + ((y1 - y0) * (n - x0)) / (x1 - x0);
}
