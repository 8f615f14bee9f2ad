/** Undoing the last play of a person: what was tapped at once; what a camera read, with a reason. */

import { askInDialog } from "../page/dialog.js";
import { byId, el } from "../page/dom.js";
import { attempt, command, notice, tryCommand } from "../page/server.js";
import { t } from "../page/texts.js";

const REASONS = 3;

/** Undo the last throw or move of a person, `last`, which is called `what`. @param {State} state */
export const undo = (last, what, state) => (last.seen ? open(last, what) : undoTapped(state, last, what));

let undoing = false;

/**
 * Undo at once what no camera read, only once even if it is pressed several times, and offer to restore it.
 * @param {State} state
 */
async function undoTapped(state, last, what) {
  if (undoing) return;
  undoing = true;
  const { faces, set } = state.throw ?? {};
  const restore = last.kind === "choice" ? ["choose", { text: last.text }] : ["throw", { faces, dice_set: set }];
  await attempt(async () => {
    await apply(last, t("undo.mistapped"));
    notice(t("undo.undone", { what }),
      last.answered ? null : { text: t("undo.restore"), act: () => tryCommand(...restore) });
  });
  undoing = false;
}

function open(last, what) {
  const own = el("input", { maxlength: 280, "aria-label": t("undo.own_label") });
  const reasons = Array.from({ length: REASONS }, (_, n) => t(`undo.reasons.${n + 1}`));
  const tick = (value, label, checked) =>
    el("label", { class: "tick" }, el("input", { type: "radio", name: "why", value, checked }), el("span", {}, label));
  const form = askInDialog(byId("confirm"), t("undo.heading", { what }), [
    el("fieldset", {}, el("legend", {}, t("undo.why")),
      reasons.map((reason, n) => tick(reason, reason, n === 0)), tick("own", t("undo.own"), false),
      el("div", { class: "field" }, own)),
    el("p", { class: "hint" }, t(last.kind === "choice" ? "undo.play_again" : "undo.throw_again")),
  ], async () => {
    const chosen = new FormData(form).get("why");
    const reason = chosen === "own" ? own.value.trim() : chosen;
    if (reason) return apply(last, reason);
    own.focus();
    throw new Error(t("undo.own_missing"));
  }, { go: t("undo.apply") });
  own.addEventListener("input", () => (form.querySelector("[value=own]").checked = true));
}

/** The player takes back a choice; a correction voids any other play. Nothing depends on the play yet. */
async function apply(last, reason) {
  if (last.anyone) {
    await command("take_back", { event: last.event, reason });
    return;
  }
  const data = { event: last.event, faces: null, reason };
  const preview = await command("preview_correction", data);
  await command("correct", { ...data, token: preview.data.token, keep: "all" });
}
