/** The two plots of a series: how often each face fell compared with a fair die, and the course of the evidence. */

import { svg } from "../page/dom.js";
import { number, t } from "../page/texts.js";

const WIDTH = 460;
const HEIGHT = 250;
const LEFT = 44;
const RIGHT = 12;
const TOP = 24;
const BOTTOM = 40;
const INNER = WIDTH - LEFT - RIGHT;
const LOG10 = Math.LN10;

const percent = (share) => number(share * 100, 0);

/** A round number for the end of an axis, at least as large as requested. */
export function reach(value) {
  for (let power = 1e-4; ; power *= 10)
    for (const step of [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) if (step * power >= value * 0.9999) return step * power;
}

function ticks(top, most = 5) {
  const step = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5].find((one) => top / one <= most) ?? 0.5;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, n) => n * step);
}

/**
 * Whether an interval excludes the fair share: 1 if the face falls more often, -1 if more rarely, 0 if neither, or if
 * the throws are serially dependent, for the intervals are about independent throws.
 */
export const strays = (die, place) =>
  (die.verdict?.said === "serially dependent" ? 0
    : die.low[place] > die.fair[place] ? 1 : die.high[place] < die.fair[place] ? -1 : 0);

/**
 * Counts by face as bars, with their simultaneous intervals and the fair share as a line. `die`: {labels, fair,
 * counts, low, high}; `name` gives the text below the bar of a label.
 */
export function bars(die, { name = (label) => label, label = "" } = {}) {
  const whole = die.counts.reduce((all, one) => all + one, 0);
  const share = die.counts.map((count) => (whole ? count / whole : 0));
  const tallest = Math.max(...share, ...die.fair.map((one) => one * 1.4), ...(whole >= 30 ? die.high : []));
  const top = Math.min(1, reach(tallest * 1.02));
  const y = (value) => HEIGHT - BOTTOM - (Math.min(value, top) / top) * (HEIGHT - BOTTOM - TOP);
  const slot = INNER / die.labels.length;
  const wide = Math.min(46, slot * 0.66);
  const middle = (place) => LEFT + slot * (place + 0.5);
  const base = y(0);
  const longest = Math.max(...die.labels.map((one) => name(one).length));
  const small = longest * 11 > slot ? " small" : "";
  const most = Math.max(...die.counts.map((one) => number(one).length));
  const each = { face: spaced(longest, slot), count: spaced(most, slot) };
  const drawn = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot bars", role: "img", "aria-label": label },
    ticks(top).map((value) => [
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
      svg("text", { x: LEFT - 7, y: y(value), class: "tick end" }, percent(value)),
    ]),
    svg("text", { x: LEFT, y: 7, class: "tick" }, t("plots.percent")),
    die.labels.map((face, place) =>
      bar({ face: name(face), small, each, place, share, die, whole, x: middle(place), wide, y, base })),
    fairLine(die, { y, slot }),
    svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: base, y2: base, class: "axis" }));
  return drawn;
}

/** One in how many faces of a die with many can be written below its bar, by the longest text (characters). */
const spaced = (longest, slot) => [1, 2, 5, 10, 20, 50].find((each) => longest * 6 + 2 <= each * slot) ?? 100;

function bar({ face, small, each, place, share, die, whole, x, wide, y, base }) {
  const high = y(share[place]);
  const astray = whole ? strays(die, place) : 0;
  const cap = Math.min(7, wide / 3);
  const [low, up] = [y(die.low[place]), y(die.high[place])];
  const written = (one) => astray || (place + 1) % one === 0;
  return svg("g", { class: astray ? "bar astray" : "bar" },
    svg("rect", { x: x - wide / 2, y: high, width: wide, height: Math.max(0, base - high), class: "bar-body" }),
    astray ? hatches(x - wide / 2, high, wide, base - high) : null,
    whole ? svg("path", { d: `M${x} ${low}V${up}M${x - cap} ${low}h${2 * cap}M${x - cap} ${up}h${2 * cap}`,
      class: "whisker" }) : null,
    written(each.face) ? svg("text", { x, y: HEIGHT - BOTTOM + 13, class: `tick middle strong${small}` }, face) : null,
    !written(each.count) ? null : svg("text", { x, y: HEIGHT - 9, class: `tick middle${small}` },
      `${astray > 0 ? "▲" : astray < 0 ? "▼" : ""}${number(die.counts[place])}`));
}

/** Slanting lines: they mark a bar whose interval excludes the fair share without colour. */
function hatches(x, y, wide, high) {
  let d = "";
  for (let at = 6; at < wide + high; at += 7) {
    const [x1, y1] = at <= high ? [0, at] : [at - high, high];
    const [x2, y2] = at <= wide ? [at, 0] : [wide, at - wide];
    d += `M${(x + x1).toFixed(1)} ${(y + y1).toFixed(1)}L${(x + x2).toFixed(1)} ${(y + y2).toFixed(1)}`;
  }
  return svg("path", { d, class: "hatch" });
}

/** The fair shares: one straight line if all are equal, steps if a face is there twice. */
function fairLine(die, { y, slot }) {
  let d = "";
  die.fair.forEach((share, place) => {
    const to = place && die.fair[place - 1] === share ? "L" : "M";
    d += `${to}${(LEFT + slot * place).toFixed(1)} ${y(share).toFixed(1)}H${(LEFT + slot * (place + 1)).toFixed(1)}`;
  });
  return svg("path", { d, class: "fair" });
}

const STYLES = ["first", "second", "third"];

/**
 * The evidence against one or several dice over their throws, on a scale of powers of ten. `lines`: [{throws, values,
 * name?}] with natural logarithms as values; `needed`: the logarithm at which a die is called biased; `called`: the
 * throw at which that happened.
 */
export function evidence(lines, needed, { label = "", least = 30, called = null } = {}) {
  const most = Math.max(least, ...lines.map(({ throws }) => throws.at(-1) ?? 0));
  const wide = reach(most);
  const all = lines.flatMap(({ values }) => values);
  const over = Math.ceil(Math.max(needed + 0.7, ...all) / LOG10);
  const under = Math.max(-4, Math.floor(Math.min(-0.1, ...all) / LOG10));
  const x = (throws) => LEFT + 10 + (throws / wide) * (INNER - 10);
  const y = (value) =>
    HEIGHT - BOTTOM - ((Math.max(under, value / LOG10) - under) / (over - under)) * (HEIGHT - BOTTOM - TOP);
  const powers = Array.from({ length: over - under + 1 }, (_, n) => under + n);
  const every = Math.ceil(powers.length / 7);
  const line = y(needed);
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot evidence", role: "img", "aria-label": label },
    svg("rect", { x: LEFT + 10, y: TOP, width: INNER - 10, height: Math.max(0, line - TOP), class: "beyond" }),
    powers.filter((power) => power % every === 0).map((power) => [
      svg("line", { x1: LEFT + 10, x2: WIDTH - RIGHT, y1: y(power * LOG10), y2: y(power * LOG10),
        class: power ? "grid" : "grid one" }),
      svg("text", { x: LEFT + 5, y: y(power * LOG10), class: "tick end" },
        power >= 0 ? power > 4 ? tenTo(power) : number(10 ** power)
          : `1/${power < -4 ? tenTo(-power) : number(10 ** -power)}`),
    ]),
    svg("path", { d: `M${LEFT + 10} ${line}H${WIDTH - RIGHT}`, class: "needed" }),
    svg("text", { x: LEFT + 15, y: line - 8, class: "tick needed-word" },
      t("plots.needed", { stake: Math.round(Math.exp(needed)) })),
    [0, wide / 2, wide].map((mark) =>
      svg("text", { x: x(mark), y: HEIGHT - BOTTOM + 13,
        class: mark === wide ? "tick end" : mark ? "tick middle" : "tick" }, number(Math.round(mark)))),
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 9, class: "tick end" }, t("plots.throws")),
    lines.map((one, n) => course(one, n, { x, y })),
    called ? svg("path", { d: `M${(x(called) - 6).toFixed(1)} ${line - 11}h12l-6 9Z`, class: "called" }) : null,
    names(lines, { x, y }));
}

const tenTo = (power) => `10${[...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;

function course({ throws, values }, n, { x, y }) {
  if (!throws.length) return null;
  const d = throws.map((at, m) => `L${x(at).toFixed(1)} ${y(values[m]).toFixed(1)}`).join("");
  const [endX, endY] = [x(throws.at(-1)), y(values.at(-1))];
  return svg("g", { class: `course ${STYLES[n % STYLES.length]}` },
    svg("path", { d: `M${x(0).toFixed(1)} ${y(0).toFixed(1)}${d}`, class: "line" }),
    svg("circle", { cx: endX, cy: endY, r: 4.5, class: "end-mark" }));
}

/** The names of several lines, left of their ends and without overlap. */
function names(lines, { x, y }) {
  const labels = lines.filter(({ name, throws }) => name && throws.length).map(({ name, throws, values }) =>
    ({ name, x: x(throws.at(-1)) - 10, y: y(values.at(-1)) - 9 }));
  labels.sort((one, other) => one.y - other.y);
  labels.forEach((label, n) => {
    for (const above of labels.slice(0, n)) {
      if (Math.abs(label.x - above.x) < 30) label.y = Math.max(label.y, above.y + 17);
    }
  });
  return labels.map((label) => svg("text", { x: label.x, y: label.y, class: "tick strong end" }, label.name));
}
