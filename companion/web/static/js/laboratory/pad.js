/** Typing throws: a large button and a key for each face, and taking back the last throw. */

import { byId, el, rebuild, setText } from "../page/dom.js";
import { dieOf, drawFace, labelName } from "./dice.js";
import { tryOrder } from "./server.js";
import { t } from "../page/texts.js";

/** What this page keeps from one step to the next. @type {Record<string, any>} */
const kept = {
  chosen: null, // the name of the die for which throws are typed
  typed: "", // the typed beginning of a label that several faces share
  queue: Promise.resolve(), // throws in the order of typing
  sent: 0, // throws without an answer: until it comes, the last throw is unknown
  here: null, // the page, once it listens
};

const plain = (label) => label.replace("/", "").toUpperCase();

/** What to type for a face: its label without the stroke; a face without a number also has its place as a key. */
export function meant(labels, so_far) {
  const fitting = labels.filter((label) => plain(label).startsWith(so_far));
  if (!fitting.length && /^[1-9]$/.test(so_far) && !labels.some((label) => /\d/.test(label))) {
    return { exact: labels[Number(so_far) - 1] ?? null, open: false };
  }
  return { exact: fitting.find((label) => plain(label) === so_far) ?? null,
    open: fitting.some((label) => plain(label) !== so_far) };
}

/** Show the pad while a series runs. @param {SeriesState} state @param {LaboratoryPage} page */
export function showPad(state, page) {
  const box = byId("pad");
  const series = state.series;
  box.hidden = !series;
  if (!series) return;
  if (!series.dice.some(({ name }) => name === kept.chosen)) kept.chosen = series.dice[0]?.name ?? null;
  const die = series.dice.find(({ name }) => name === kept.chosen);
  if (!die) return;
  rebuild(byId("pad-faces"), [series.id, kept.chosen, series.dice.map(({ name }) => name)], () => [
    series.dice.length > 1 ? dieSwitch(series, page) : null,
    el("div", { class: `pad-buttons${die.labels.length === 6 ? " six" : die.labels.length > 12 ? " many" : ""}`,
      role: "group", "aria-label": t("lab.faces_of", { die: die.name }) }, die.labels.map((label) =>
      el("button", { type: "button", class: "pad-face", "data-focus": `face-${label}`,
        "aria-label": t("lab.throw_face", { face: labelName(label) }), onclick: () => thrown(kept.chosen, label) },
        drawFace(dieOf(page.setup, die), label)))),
    el("p", { class: "hint keys" },
      t(die.labels.every((label) => plain(label).length === 1) ? "lab.keys" : "lab.keys_enter")),
  ]);
  const last = series.last.find((one) => one.how === "typed" && !one.corrected && !one.withdrawn);
  const undo = byId("pad-undo");
  undo.disabled = !last || kept.sent > 0;
  undo.dataset.number = last?.number ?? "";
  setText(undo, last ? t("lab.undo", { number: last.number, face: last.outcome ? labelName(last.outcome) : "?" })
    : t("lab.undo_none"));
}

/** @param {LaboratoryPage} page */
function dieSwitch(series, page) {
  return el("fieldset", { class: "switch" },
    el("legend", { class: "unseen" }, t("lab.which_die")), series.dice.map(({ name }) =>
    el("label",
      {}, el("input", { type: "radio", name: "pad-die", value: name, checked: name === kept.chosen,
        "data-focus": `die-${name}`, onchange: () => {
      kept.chosen = name;
      showPad(page.state, page);
    } }), el("span", {}, name))));
}

/** Send a throw after the earlier ones, and announce that it counts. */
function thrown(die, face) {
  kept.typed = "";
  say("");
  kept.sent += 1;
  byId("pad-undo").disabled = true;
  const give = async () => {
    try {
      if (await tryOrder("throw", { die, face })) say(t("lab.counted", { face: labelName(face) }));
    } finally {
      kept.sent -= 1;
      if (kept.sent === 0) showPad(kept.here.state, kept.here);
    }
  };
  kept.queue = kept.queue.then(give, give);
}

const say = (words) => setText(byId("pad-said"), words);

/**
 * Listen to the keys of the whole page, if turned on, except in text fields and while a dialog is open.
 * @param {LaboratoryPage} page
 */
export function startPad(page) {
  kept.here = page;
  byId("pad-undo").addEventListener("click", takeBack);
  document.addEventListener("keydown", (event) => {
    if (!byId("pad-keys").checked || event.ctrlKey || event.altKey || event.metaKey || event.repeat
      || !page.state?.series) return;
    if (document.querySelector("dialog[open]")
      || event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    if (event.key === "Enter" && event.target.closest("button, a, summary, input") && !kept.typed) return;
    const die = page.state.series.dice.find(({ name }) => name === kept.chosen);
    if (die) key(event, die);
  });
}

function key(event, die) {
  if (event.key === "Escape" || event.key === "Backspace") {
    kept.typed = "";
    say("");
    return;
  }
  if (event.key === "Enter" && kept.typed) {
    event.preventDefault();
    const { exact } = meant(die.labels, kept.typed);
    kept.typed = "";
    if (exact) thrown(die.name, exact);
    return;
  }
  if (event.key.length !== 1 || !/[\p{L}\p{N}]/u.test(event.key)) return;
  const now = kept.typed + event.key.toUpperCase();
  const { exact, open } = meant(die.labels, now);
  if (!exact && !open) {
    say(t("lab.no_such_face", { typed: now }));
    kept.typed = "";
  } else if (exact && !open) thrown(die.name, exact);
  else {
    kept.typed = now;
    say(t("lab.typed_so_far", { typed: now }));
  }
}

async function takeBack() {
  const number = Number(byId("pad-undo").dataset.number);
  if (await tryOrder("correct", { number, face: null, withdrawn: true, reason: t("lab.undo_reason") }))
    say(t("lab.taken_back", { number }));
}
