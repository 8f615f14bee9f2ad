/** A card for each die of a series: the verdict in words, its two plots, what is still needed, the numbers behind it. */

import { byId, el, setText, svg } from "../page/dom.js";
import { labelName, shortLabel } from "./dice.js";
import { bars, evidence, strays } from "./plots.js";
import { number, say, t } from "../page/texts.js";

const SIGNS = {
  "not enough": "M5 12h3M10.500 12h3M16 12h3",
  biased: "M4 19 20 12M12 15.500V20M8 20h8M5 12l3-6 3 6ZM15 7l2.500-5L20 7Z",
  "serially dependent": "M9 8h-2a4 4 0 0 0 0 8h2M15 8h2a4 4 0 0 1 0 8h-2M8.500 12h7",
  "no larger bias": "M4 12h16M12 12v8M8 20h8M4 11l2-5 2 5ZM16 11l2-5 2 5Z",
};
const HOUR = 60; // minutes
const LONG = 90; // minutes; a longer time is given in hours

const cards = new Map(); // by the die's name: the card's parts, so that only changes are redrawn

/** Show a card for each die of the series. */
export function showDice(state) {
  const box = byId("lab-dice");
  const dice = state.series?.dice ?? [];
  const names = dice.map(({ name }) => name).join("\n");
  if (box.dataset.names !== names || box.dataset.series !== String(state.series?.id)) {
    box.dataset.names = names;
    box.dataset.series = String(state.series?.id);
    cards.clear();
    for (const die of dice) cards.set(die.name, card(die, cards.size));
    box.replaceChildren(...[...cards.values()].map(({ node }) => node));
  }
  for (const die of dice) draw(cards.get(die.name), die, state.series);
}

function card(die, n) {
  const heading = el("h2", { id: `die-${n}` }, die.name);
  const parts = {
    sign: el("p", { class: "verdict-sign" }),
    verdict: el("p", { class: "verdict-line" }),
    more: el("ul", { class: "verdict-more" }),
    ahead: el("p", { class: "ahead" }),
    bars: el("div", {}),
    evidence: el("div", {}),
    tally: el("p", { class: "tally" }),
    numbers: el("div", { class: "numbers-of", tabindex: "0", role: "region", "aria-label": t("lab.numbers_of", { die: die.name }) }),
  };
  const behind = el("details", { class: "numbers" }, el("summary", {}, t("lab.numbers")), parts.numbers);
  behind.addEventListener("toggle", () => behind.open && parts.latest && numbers(parts, ...parts.latest));
  const node = el("article", { class: "leaf die-card", "aria-labelledby": `die-${n}` },
    el("header", { class: "die-head" }, heading, parts.tally),
    el("div", { class: "verdict" }, parts.sign, el("div", { class: "verdict-words" }, parts.verdict, parts.more, parts.ahead)),
    el("div", { class: "plots" },
      el("figure", {}, el("figcaption", {}, t("plots.bars")), parts.bars, el("p", { class: "legend" }, el("span", { class: "key fair-key" }, t("plots.fair")), el("span", { class: "key whisker-key" }, t("plots.interval")))),
      el("figure", {}, el("figcaption", {}, t("plots.evidence")), parts.evidence, el("p", { class: "hint plot-note" }, t("plots.evidence_note")))),
    behind);
  return Object.assign(parts, { node, behind });
}

function draw(parts, die, series) {
  const key = JSON.stringify([die, series.pace, series.fixed]);
  if (parts.key === key) return;
  parts.key = key;
  parts.latest = [die, series];
  const { said, sentences } = die.verdict;
  if (parts.node.dataset.said && parts.node.dataset.said !== said) setText(byId("lab-told"), `${die.name}: ${say(sentences[0])}`); // only a change, not every throw
  parts.node.dataset.said = said;
  parts.sign.replaceChildren(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SIGNS[said] ?? SIGNS["not enough"] })));
  setText(parts.verdict, say(sentences[0]));
  parts.more.replaceChildren(...sentences.slice(1).map((one) => el("li", {}, say(one))));
  setText(parts.ahead, ahead(die, series));
  setText(parts.tally, [t("lab.throws", { count: die.throws }), die.unread ? t("lab.unread", { count: die.unread }) : "", die.corrected ? t("lab.corrected", { count: die.corrected }) : ""].filter(Boolean).join(" · "));
  parts.bars.replaceChildren(bars(die, { name: shortLabel, label: spoken(die) }));
  const { throws, log_value: values, needed } = die.evidence;
  parts.evidence.replaceChildren(evidence([{ throws, values }], needed, { label: told(die), called: die.verdict.called }));
  if (parts.behind.open) numbers(parts, die, series);
}

/** The bars in words for screen readers; the table behind them has every number. */
function spoken(die) {
  const order = die.labels.map((label, place) => ({ label, place, off: die.estimate[place] - die.fair[place] })).sort((one, other) => other.off - one.off);
  return t("plots.bars_said", { throws: die.throws, most: labelName(order[0].label), least: labelName(order.at(-1).label) });
}

function told(die) {
  const now = die.evidence.log_value.at(-1) ?? 0;
  return t("plots.evidence_said", { stake: number(Math.exp(Math.min(now, 30)), now < Math.log(10) ? 2 : 0), needed: Math.round(Math.exp(die.evidence.needed)) });
}

/** A rounded number of throws, which does not look exact. */
export function rounded(throws) {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(throws)) - 1);
  return Math.round(throws / step) * step;
}

/** How many throws are still needed, and how long they take at this pace. */
export function ahead(die, { pace, fixed }) {
  if (fixed) {
    const left = fixed - die.throws - die.unread;
    return left > 0 ? t("lab.left_of_fixed", { count: left, fixed }) : t("lab.fixed_reached", { fixed });
  }
  if (!die.verdict.needed || die.verdict.said !== "not enough") return "";
  const more = die.verdict.needed - die.throws;
  if (more <= 0) return t("lab.soon");
  const throws = rounded(more);
  if (!pace) return t("lab.more", { count: throws });
  const minutes = throws / pace;
  return minutes < LONG ? t("lab.more_minutes", { throws, count: Math.max(1, Math.round(minutes)) }) : t("lab.more_hours", { throws, count: Math.round(minutes / HOUR) });
}

const percent = (share) => number(share * 100, 1);

function numbers(parts, die, series) {
  const { p, largest, smallest, called } = die.verdict;
  const facts = [
    [t("lab.p"), p < 0.0001 ? t("lab.p_small") : number(p, 4)],
    [t("lab.largest"), percent(largest)],
    [t("lab.smallest"), percent(smallest)],
    called ? [t("lab.called"), number(called)] : null,
    series.pace ? [t("lab.pace"), number(series.pace, 1)] : null,
    die.audit?.done ? [t("lab.audited"), t("lab.audited_of", { done: die.audit.done, wrong: die.audit.wrong })] : null,
  ].filter(Boolean);
  const head = ["face", "count", "share", "fair", "interval", "astray"].map((name) => el("th", { scope: "col" }, t(`lab.column_${name}`)));
  const rows = die.labels.map((label, place) => el("tr", {},
    el("th", { scope: "row" }, labelName(label)),
    el("td", {}, number(die.counts[place])),
    el("td", {}, percent(die.throws ? die.counts[place] / die.throws : 0)),
    el("td", {}, percent(die.fair[place])),
    el("td", {}, t("lab.interval", { low: percent(die.low[place]), high: percent(die.high[place]) })),
    el("td", {}, [t("lab.astray_low"), t("lab.astray_none"), t("lab.astray_high")][strays(die, place) + 1])));
  parts.numbers.replaceChildren(
    el("table", {}, el("caption", {}, t("lab.table_caption")), el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
    el("dl", { class: "figures" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    die.findings?.length ? el("h3", {}, t("lab.thrower")) : "",
    el("ul", { class: "findings" }, (die.findings ?? []).map((one) => el("li", { "data-found": one.found ? "yes" : "no" }, t(`lab.asked_${one.question}`), " ", t(one.found ? "lab.found" : "lab.not_found", { p: number(one.p, 3), throws: one.throws })))));
}
