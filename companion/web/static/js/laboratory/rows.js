/** A die counted by likeness: how many throws are kept, and the rows of throws that a person names, one tap each. */

import { byId, el, rebuild } from "../page/dom.js";
import { dieOf, drawFace, labelName } from "./dice.js";
import { picture, tryOrder } from "./server.js";
import { t } from "../page/texts.js";

let again = null; // the number of a row that somebody wants to name again

const LEAST_EACH = 3; // throws for each face, from which the laboratory sorts them

/** Show what is kept, or the row that is to be named next. @param {LaboratoryPage} page */
export function showRows(state, page) {
  const box = byId("lab-rows");
  const { rows, series } = state;
  const [die] = series?.dice ?? [];
  const was = box.dataset.row;
  box.hidden = !rows || !die || (rows.phase === "count" && !rows.kept);
  if (box.hidden) return;
  if (!rows.rows.some((one) => one.number === again)) again = null;
  const asked = rows.rows.find((one) => one.number === again) ?? rows.rows.find((one) => !one.done);
  box.dataset.row = asked?.number ?? "";
  rebuild(box, [series.id, rows, again], () => [
    el("h2", { id: "rows-heading" }, t("lab.rows_heading")),
    rows.phase === "sort" ? el("p", {}, t("lab.rows_sorting")) : asked ? row(rows, asked, die, page) : kept(rows, die),
  ].flat());
  if (asked && was !== box.dataset.row) box.scrollIntoView({ block: "nearest" });
}

/** How many throws are kept, and a button to sort them now. */
function kept({ phase, kept: count, wanted }, die) {
  const gathers = phase === "gather";
  return [
    el("p", {}, t(gathers ? "lab.rows_kept" : "lab.rows_doubtful", { count, wanted })),
    gathers ? el("progress", { max: wanted, value: count, "aria-label": t("lab.rows_kept", { count, wanted }) }) : null,
    gathers && count < LEAST_EACH * die.labels.length ? null
      : el("button", { type: "button", "data-focus": "rows-sort", onclick: () => tryOrder("sort") },
        t(gathers ? "lab.rows_sort" : "lab.rows_sort_doubtful")),
  ];
}

/** One row: some of its throws, the reader's guess as the first answer, and all faces. One tap names it. */
function row({ rows }, asked, die, page) {
  const drawn = dieOf(page.setup, die);
  const name = (face) => {
    again = null;
    return tryOrder("name_row", { row: asked.number, face });
  };
  const typical = new Map(rows.filter(({ face }) => face).reverse().map((one) => [one.face, one.pictures[0]]));
  const known = die.set in page.setup.dice_sets;
  // of a die with symbols of its own nobody knows what a letter stands for: the next one is free for the next face
  const first = known ? asked.guess : die.labels.find((label) => !typical.has(label)) ?? null;
  const seen = (face) => (typical.has(face) && !known
    ? el("img", { src: picture(typical.get(face)), alt: "", class: "row-crop" })
    : drawFace(drawn, face));
  return [
    el("p", { class: "row-of", role: "status" },
      t("lab.rows_row", { row: asked.number, most: rows.length, count: asked.throws })),
    el("div", { class: "row-crops" },
      asked.pictures.map((one) => el("img", { src: picture(one), alt: t("lab.rows_crop"), class: "row-crop" }))),
    first === null ? null : el("button",
      { type: "button", class: "main-action row-guess", "data-focus": "row-guess", onclick: () => name(first) },
      el("span", { class: "answer-dice" }, drawFace(drawn, first)),
      el("span", {}, t(known ? "lab.rows_shows" : "lab.rows_new", { face: labelName(first) }))),
    known || typical.size ? el("p", {}, t("lab.rows_which")) : null,
    el("div", { class: `pad-buttons${die.labels.length > 12 ? " many" : ""}`, role: "group",
      "aria-label": t("lab.faces_of", { die: die.name }) },
      die.labels.filter((label) => known || typical.has(label)).map((label) =>
        el("button", { type: "button", class: "pad-face", "data-focus": `row-${label}`,
          "aria-label": t("lab.rows_shows", { face: labelName(label) }), onclick: () => name(label) }, seen(label),
          known ? null : el("span", {}, label)))),
    el("button", { type: "button", class: "quiet", "data-focus": "row-none", onclick: () => name(null) },
      t("lab.rows_leave")),
    so_far(rows, asked, page),
  ];
}

/** The rows that were named, each a button that asks about it again. @param {LaboratoryPage} page */
function so_far(rows, asked, page) {
  const done = rows.filter((one) => one.done && one !== asked);
  if (!done.length) return null;
  return el("details", {}, el("summary", {}, t("lab.rows_done", { count: done.length })), el("ol",
    { class: "rows-done" }, done.map((one) =>
    el("li", {}, one.mixed
      ? t("lab.rows_mixed", { row: one.number })
      : el("button", { type: "button", class: "quiet", onclick: () => {
        again = one.number;
        showRows(page.state, page);
      } }, el("img", { src: picture(one.pictures[0]), alt: "", class: "row-crop" }),
      t(one.face ? "lab.rows_named" : "lab.rows_left", { row: one.number, face: labelName(one.face ?? "") }))))));
}
