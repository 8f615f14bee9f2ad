/** The last throws with their pictures; correcting a throw, auditing a drawn one, and the list of all. */

import { askInDialog } from "../page/dialog.js";
import { BASE, byId, el, rebuild, setText } from "../page/dom.js";
import { dieOf, drawFace, labelName } from "./dice.js";
import { order, picture } from "./server.js";
import { attempt, fetched } from "../page/server.js";
import { dateTime, t } from "../page/texts.js";

const REASONS = 4;
const PAGE = 100; // rows per page of the list of all throws

/**
 * The newest throws, each with a button to correct it; throws that wait for an audit stay hidden.
 * @param {SeriesState} state @param {LaboratoryPage} page
 */
export function showThrows(state, page) {
  const series = state.series;
  byId("lab-last").hidden = !series;
  if (!series) return;
  const due = new Set(series.dice.flatMap(({ audit }) => audit?.due ?? []));
  rebuild(byId("last-throws"), [series.id, series.last, [...due]], () =>
    series.last.length ? series.last.map((one) => line(one, due.has(one.number), page))
      : el("li", { class: "hint" }, t("lab.no_throws")));
  showAudit(series, page);
}

/** @param {LaboratoryPage} page */
const seriesDie = (page, name) => page.state.series.dice.find((one) => one.name === name);

const how = (one) => [t(`lab.by_${one.how}`), one.asked ? t("lab.was_asked") : "",
  one.corrected || one.withdrawn ? t("lab.was_corrected") : ""].filter(Boolean).join(", ");

/** @param {LaboratoryPage} page */
function line(one, hidden, page) {
  const die = seriesDie(page, one.die);
  const shown = hidden || one.withdrawn ? null : one.outcome;
  const words = one.withdrawn ? t("lab.no_throw")
    : hidden ? t("lab.hidden") : one.outcome ? labelName(one.outcome)
      : one.suspected ? t("lab.unread_suspected", { face: labelName(one.suspected) }) : t("lab.unread_one");
  return el("li", { class: "throw-line", "data-number": one.number, "data-withdrawn": one.withdrawn ? "yes" : null },
    el("span", { class: "throw-face" }, drawFace(dieOf(page.setup, die ?? one), shown)),
    one.crop ? el("img", { src: picture(one.crop), alt: t("lab.crop", { number: one.number }), class: "throw-crop",
      loading: "lazy" }) : null,
    el("span", { class: "throw-words" }, el("strong", {}, words),
      el("small", {}, t(page.state.series.dice.length > 1 ? "lab.throw_of" : "lab.throw_one",
        { number: one.number, die: one.die, how: how(one) }))),
    hidden ? null : el("button",
      { type: "button", class: "quiet", "data-focus": `correct-${one.number}`, "aria-label": t("lab.correct_throw",
        { number: one.number }), onclick: () => correct(one, page) }, t("lab.correct")));
}

export const NO_THROW = Symbol("no throw");

/**
 * Buttons for every face of a die and for "cannot be told"; `chosen(face or null)`. `first`: the face chosen at first;
 * `withdraw`: add a button for "no throw", which gives NO_THROW.
 * @param {LaboratoryPage} page
 */
export function faceChoice(page, die, name, chosen, { first = undefined, withdraw = false } = {}) {
  const choice = (value, label, drawn) => el("label", { class: "face" },
    el("input", { type: "radio", name, value: typeof value === "string" ? value : "", checked: value === first,
      "aria-label": label, onchange: () => chosen(value) }), drawn);
  const words = (value, key) => choice(value, t(key), el("span", { class: "cannot" }, t(key)));
  return el("div", { class: "face-choices lab-faces", role: "radiogroup", "aria-label": t("lab.faces_of",
    { die: die.name }) },
    die.labels.map((label) => choice(label, labelName(label), drawFace(dieOf(page.setup, die), label))),
    words(null, "lab.cannot_be_told"),
    withdraw ? choice(NO_THROW, t("lab.no_throw"), el("span", { class: "cannot" }, t("lab.no_throw"))) : null);
}

/** Correct a throw: another face or none, and a reason. @param {LaboratoryPage} page */
export function correct(one, page) {
  const die = seriesDie(page, one.die);
  let face;
  const reason = el("input", { maxlength: 280, required: true, list: "lab-reasons" });
  askInDialog(byId("lab-dialog"), t("lab.correct_heading", { number: one.number, die: one.die }), [
    one.crop ? el("img", { src: picture(one.crop), alt: t("lab.crop", { number: one.number }), class: "large-crop" })
      : null,
    el("p", {}, one.outcome ? t("lab.counted_as", { face: labelName(one.outcome) }) : t("lab.counted_unread")),
    el("h3", {}, t("lab.what_is_right")),
    faceChoice(page, die, "corrected", (value) => (face = value), { first: one.outcome, withdraw: true }),
    el("label", { class: "field" }, el("span", {}, t("lab.reason")), reason),
    el("datalist", { id: "lab-reasons" },
      Array.from({ length: REASONS }, (_, n) => el("option", { value: t(`lab.reasons.${n + 1}`) }))),
  ], async () => {
    if (face === undefined || face === one.outcome) throw new Error(t("lab.choose_other"));
    const changed = face === NO_THROW ? { face: null, withdrawn: true } : { face };
    await order("correct", { number: one.number, ...changed, reason: reason.value.trim() });
  }, { go: t("lab.apply") });
}

const close = (dialog, words = t("page.cancel")) =>
  el("button", { type: "button", onclick: () => dialog.close() }, words);

function open(dialog, ...content) {
  dialog.replaceChildren(...content);
  if (!dialog.open) dialog.showModal();
}

/**
 * The throws that wait for an audit: how many, and a button that begins with the oldest.
 * @param {LaboratoryPage} page
 */
function showAudit(series, page) {
  const due = series.dice.flatMap(({ audit, name }) => (audit?.due ?? []).map((number) => ({ number, die: name })));
  const box = byId("lab-audit");
  box.hidden = !due.length;
  if (!due.length) return;
  setText(byId("audit-line"), t("lab.audit_due", { count: due.length }));
  byId("audit-begin").onclick = () => audit(due[0], page);
}

/** Ask what a throw shows; only afterwards show what the reader read. */
async function audit({ number, die: name }, page) {
  const die = seriesDie(page, name);
  let one = page.state.series.last.find((entry) => entry.number === number);
  const found = one ? null : await attempt(() => throwsFrom(page.state.series.id, number, 1));
  if (!one && !found) return;
  one ??= found.throws[0];
  let face;
  const seen = one?.crop ?? one?.digest ?? null;
  askInDialog(byId("lab-dialog"), t("lab.audit_heading"), [
    el("p", { class: "hint" }, t("lab.audit_why")),
    seen ? el("img", { src: picture(seen), alt: t("lab.crop", { number }), class: "large-crop" })
      : el("p", {}, t("lab.no_crop", { number })),
    faceChoice(page, die, "audited", (value) => (face = value)),
  ], async () => {
    if (face === undefined) throw new Error(t("lab.choose_face"));
    await order("audit", { number, face });
    answered(one, face, page);
    return false;
  }, { go: t("lab.audit_answer"), leave: t("lab.later") });
}

/** @param {LaboratoryPage} page */
function answered(one, face, page) {
  const dialog = byId("lab-dialog");
  const read = one?.outcome ?? null;
  const next = page.state.series.dice.flatMap(({ audit: its, name }) =>
    (its?.due ?? []).map((number) => ({ number, die: name }))).find(({ number }) => number !== one?.number);
  open(dialog, el("form", { method: "dialog" },
    el("h2", { id: "lab-dialog-heading" }, t(read === face ? "lab.audit_agrees" : "lab.audit_differs")),
    el("p", { class: "lead" }, t("lab.audit_read",
      { read: read === null ? t("lab.cannot_be_told") : labelName(read),
        seen: face === null ? t("lab.cannot_be_told") : labelName(face) })),
    el("p", { class: "actions" },
      next ? el("button", { type: "button", class: "main-action", onclick: () => audit(next, page) },
        t("lab.audit_next")) : null, close(dialog, t("page.close")))));
}

/** Some throws in order from a number on, and the number of all throws: {throws, count}. */
const throwsFrom = (series, first, count) =>
  fetched(`${BASE}/lab/api/throws/${series}?${new URLSearchParams({ first, count })}`);

/**
 * The list of all throws, a hundred at a time; each hundred is requested when somebody opens it.
 * @param {LaboratoryPage} page
 */
export async function showAll(page) {
  const dialog = byId("lab-dialog");
  const series = page.state.series.id;
  const due = new Set(page.state.series.dice.flatMap(({ audit }) => audit?.due ?? []));
  const body = el("tbody", {});
  const where = el("p", { role: "status" }, t("lab.loading"));
  let at = 0;
  let last = Math.max(0, Math.ceil((page.state.series.throws ?? 0) / PAGE) - 1);
  const turn = (to) => attempt(async () => {
    const wanted = Math.min(last, Math.max(0, to));
    const { throws, count } = await throwsFrom(series, wanted * PAGE + 1, PAGE);
    [at, last] = [wanted, Math.max(0, Math.ceil(count / PAGE) - 1)];
    where.textContent = throws.length ? t("lab.rows", { first: throws[0].number, last: throws.at(-1).number, count })
      : t("lab.no_throws");
    body.replaceChildren(...throws.map((one) => row(one, due.has(one.number), page)));
  });
  open(dialog,
    el("h2", { id: "lab-dialog-heading" }, t("lab.all_heading")),
    where,
    el("p", { class: "actions" },
      el("button", { type: "button", onclick: () => turn(0) }, t("lab.first_rows")),
      el("button", { type: "button", onclick: () => turn(at - 1) }, t("lab.earlier_rows")),
      el("button", { type: "button", onclick: () => turn(at + 1) }, t("lab.later_rows")),
      el("button", { type: "button", onclick: () => turn(last) }, t("lab.last_rows")),
      close(dialog, t("page.close"))),
    el("div", { class: "wide-table", tabindex: "0", role: "region", "aria-label": t("lab.all_heading") },
      el("table", {}, el("thead", {},
        el("tr", {}, ["number", "die", "face", "how", "when",
          "change"].map((name) => el("th", { scope: "col" }, t(`lab.column_${name}`))))), body)));
  await turn(last);
}

/** @param {LaboratoryPage} page */
const row = (one, hidden, page) => el("tr", {},
  el("th", { scope: "row" }, String(one.number)),
  el("td", {}, one.die),
  el("td", {}, one.withdrawn ? t("lab.no_throw")
    : hidden ? t("lab.hidden") : one.outcome ? labelName(one.outcome) : t("lab.unread_one")),
  el("td", {}, how(one)),
  el("td", {}, one.at ? dateTime(one.at * 1000) : ""),
  el("td", {}, hidden ? "" : el("button",
    { type: "button", class: "quiet", "aria-label": t("lab.correct_throw",
      { number: one.number }), onclick: () => correct(one, page) }, t("lab.correct"))));
