/** Correcting an earlier throw: new faces or voiding it, a reason, and its effect before it is applied. */

import { askInDialog } from "../page/dialog.js";
import { BASE, byId, el } from "../page/dom.js";
import { guessSet } from "./dice_now.js";
import { faceRows } from "./faces.js";
import { unit } from "./players.js";
import { command } from "../page/server.js";
import { nameOf, say, t } from "../page/texts.js";

const REASONS = 3;

/** @typedef {{ faces?: any, choice?: any, text?: string }} Claim */

/**
 * Open the dialog for one entry of the log. `claim`: the rules' answer on what they would allow instead; `picture`: the
 * name of the picture from that moment, to show beside it; `corrected`: called after the correction is applied.
 *
 * @param {any} entry @param {TablePage} page
 * @param {{ claim?: ?Claim, picture?: ?string, corrected?: () => void }} around
 */
export function openCorrection(entry, page, { claim = null, picture = null, corrected = () => {} } = {}) {
  const dialog = byId("correct");
  const choice = entry.kind === "choice"; // it has no faces to change: it can be voided, or replaced by another choice
  const other = choice ? claim?.choice : null;
  const { set, was, rows } = choice ? WITHOUT_FACES : facesFor(entry, page, claim, unvoid);
  const leaveOut = el("input",
    { type: "checkbox", id: "correct-void", checked: choice && !other, disabled: choice && !other });
  const reason = el("input", { required: true, maxlength: 300, list: "correct-reasons" });
  function unvoid() {
    leaveOut.checked = false;
  }
  const asked = () => ({
    event: entry.event, reason: reason.value.trim(), dice_set: set,
    ...(other && !leaveOut.checked ? { choice: other } : { faces: leaveOut.checked ? null : rows?.faces() }),
  });
  const form = askInDialog(dialog, heading(entry), [
    el("p", { class: "hint" }, `${t("correct.was")} `, el("span", { class: "move" }, entry.move), ". ",
      say(entry.text)),
    picture && pictureOf(picture),
    other && el("p", { class: "lead" }, t("correct.to_be"), " ", el("span", { class: "move" }, claim?.text)),
    rows && [el("h3", {}, t("correct.new_faces")), rows.node],
    el("label", { class: "tick" }, leaveOut, el("span", {}, t(choice ? "correct.void_choice" : "correct.void"))),
    ...reasonField(reason),
  ], async () => {
    const data = asked();
    const missing = lacking(data, was);
    if (missing) throw new Error(missing);
    const reply = await command("preview_correction", data);
    showEffect(reply, data, { entry, page, corrected, back: () => dialog.replaceChildren(form) });
    return false;
  }, { go: t("correct.preview") });
}

const pictureOf = (name) =>
  el("img", { class: "correct-picture", src: `${BASE}/api/picture/${name}.jpg`, alt: t("dispute.after_picture") });

const WITHOUT_FACES = { set: undefined, was: {}, rows: null };

/** The faces of a throw as they were, and the rows to choose others from. @param {TablePage} page */
function facesFor(entry, page, claim, changed) {
  const was = entry.faces ?? {};
  const set = entry.set ?? guessSet(was, page);
  const faces = { ...was, ...claim?.faces };
  return { set, was,
    rows: faceRows({ page, set, names: Object.keys(was), faces, single: entry.kind === "recast", changed }) };
}

const reasonField = (reason) => [
  el("label", { class: "field" }, el("span", {}, t("correct.reason")), reason,
    el("small", { class: "hint" }, t("correct.reason_help"))),
  el("datalist", { id: "correct-reasons" },
    Array.from({ length: REASONS }, (_, n) => el("option", { value: t(`correct.reasons.${n + 1}`) }))),
];

/** What is missing in a correction: its reason, or a change; "" if nothing is. */
function lacking({ reason, faces = null }, was) {
  if (!reason) return t("correct.reason_missing");
  return faces && same(faces, was) ? t("correct.choose_change") : "";
}

const heading = (entry) => (entry.kind === "choice" ? t("correct.heading_choice", { move: entry.move })
  : t("correct.heading", { number: entry.number }));

const same = (one, other) =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/**
 * Show what the correction would change, and the owner's choice if a later throw no longer fits; `note`: why this
 * differs from what was shown before.
 */
function showEffect(reply, data, around, note = "") {
  const { entry, page, corrected, back } = around;
  const { owners = {}, scores = {}, misfits = [] } = reply.data;
  const lines = [
    ...Object.entries(owners).map(([lot, [before, after]]) => el("li", {},
      el("strong", {}, nameOf(page.virtue(lot)) ?? lot), ": ", holder(before, page), " → ", holder(after, page))),
    ...Object.entries(scores).map(([player, [before, after]]) => el("li", {},
      el("strong", {}, page.name(Number(player))), `: ${before} → ${after} ${unit(after, page.state)}`)),
  ];
  const keep = (value, label, checked) =>
    el("label", { class: "tick" }, el("input", { type: "radio", name: "keep", value, checked }), el("span", {}, label));
  const form = askInDialog(byId("correct"), heading(entry), [
    note ? el("p", { class: "wrong", role: "alert" }, note) : null,
    el("p", { class: "lead" }, say(reply.sentence)),
    el("h3", {}, t("correct.effect")),
    lines.length ? el("ul", { class: "effects" }, lines)
      : el("p", {}, data.faces || data.choice ? t("correct.nothing")
        : t(entry.kind === "choice" ? "correct.void_choice_done" : "correct.void_done")),
    misfits.length ? el("fieldset", { class: "misfits" },
      el("legend", {}, t("correct.misfit")),
      el("ul", {}, misfits.slice(0, 5).map((misfit) => el("li", {}, say(misfit.text)))),
      keep("all", t("correct.keep_all"), true),
      keep("until_misfit", t("correct.keep_until"), false)) : null,
  ], async () => {
    const changed = await apply(reply, { ...data, keep: new FormData(form).get("keep") ?? "all" });
    if (changed) {
      showEffect(changed, data, around, t("correct.moved_on"));
      return false;
    }
    byId("correct").close();
    corrected();
  }, { go: t("correct.apply"), between: el("button", { type: "button", onclick: back }, t("correct.back")) });
  form.querySelector("button")?.focus();
}

/**
 * Apply what was shown. If the match has moved on since then and the correction still changes the same, apply it all
 * the same; if it changes something else now, return that new effect and apply nothing.
 */
async function apply(shown, { keep, ...data }) {
  try {
    await command("correct", { ...data, token: shown.data.token, keep });
    return null;
  } catch (error) {
    const now = await command("preview_correction", data);
    if (now.data.token === shown.data.token) throw error;
    return changes(now) === changes(shown) ? apply(now, { ...data, keep }) : now;
  }
}

/** A correction's effect without the scores themselves, which go on: only by how much it changes them. */
function changes({ data: { owners = {}, scores = {}, misfits = [] } }) {
  const by = Object.entries(scores).map(([player, [before, after]]) => [player, after - before]);
  return JSON.stringify([owners, by, misfits]);
}

/** @param {TablePage} page */
const holder = (what, page) => (page.state.match.of === 0 ? spoken(what) : what ? page.name(what) : t("boards.free"));

/** What is on a site of another game: plain data in that game's form. */
const spoken = (what) => (what === null || what === undefined ? t("boards.empty")
  : typeof what === "object" ? Object.values(what).join(" ") : String(what));
