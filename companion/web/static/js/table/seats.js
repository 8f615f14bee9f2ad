/** Who sits where and how dice and men come, changed in the running match; the log tells every change. */

import { BASE, byId, el, rebuild } from "../page/dom.js";
import { tryCommand } from "../page/server.js";
import { t } from "../page/texts.js";

const STRENGTHS = ["child", "beginner", "club", "master"];
const OF_A_SEAT = /^Player \d$/; // a name that nobody chose

/** @param {State} state @param {TablePage} page */
export function showSeats(state, page) {
  const { match } = state;
  if (!match || !byId("seats-fold")?.open) return;
  const seen = state.board_camera?.includes(match.game);
  const seats = match.players.map(({ name, program, strength }, n) =>
    ({ name, program, strength, raw: page.sent.match.players[n].name }));
  const drawn = rebuild(byId("seats"), [match.id, seats, match.dice_by, match.men_by, state.dice_camera, seen], () => [
    ...seats.map((seat, n) => place(seat, n + 1, page)),
    ...(match.dice_sets?.length ? dice(state, page) : []),
    seen ? choice("men_by", t("seats.men_by"), { camera: t("seats.men_by_camera"), tapped: t("seats.men_by_tapped") },
      match.men_by, page) : null,
  ]);
  if (drawn) sent = "";
}

let sent = ""; // since the form was drawn: a field that it replaces says its change once more

/** Send a change; after a refusal the form shows again how it is. @param {TablePage} page */
async function change(asked, page) {
  const text = JSON.stringify(asked);
  if (text === sent) return;
  sent = text;
  if (await tryCommand("reseat", asked)) return;
  delete byId("seats").dataset.key;
  page.redraw();
}

/** A seat: the name, empty where nobody chose one, and whether a person plays or the program, and how well. */
function place({ name, raw, program, strength }, number, page) {
  const field = el("input", { maxlength: 40, "data-seat": number, "data-raw": raw,
    value: program || OF_A_SEAT.test(raw) ? "" : raw, placeholder: name, disabled: program,
    "aria-label": t("seats.name", { number }), "data-focus": `seat-${number}` });
  const who = el("select", { "data-who": number, "aria-label": t("seats.who",
    { number }), "data-focus": `who-${number}` },
    ["", ...STRENGTHS].map((one) =>
      el("option", { value: one },
        one ? t("seats.program", { strength: t(`cards.strength_${one}`) }) : t("seats.person"))));
  who.value = program ? strength || "club" : "";
  for (const node of [field, who]) node.addEventListener("change", () => change(seated(), page));
  return el("div", { class: "seat field name-field", "data-owner": number }, field, who);
}

/** Everybody at the table as the form says; who has no name keeps the one of the seat. */
function seated() {
  const fields = [...byId("seats").querySelectorAll("[data-seat]")];
  const who = [...byId("seats").querySelectorAll("[data-who]")].map((one) => one.value);
  const programs = who.flatMap((strength, n) => (strength ? [n + 1] : []));
  const players = fields.map((field, n) =>
    (who[n] ? "" : field.value.trim() || (OF_A_SEAT.test(field.dataset.raw) ? field.dataset.raw : "")));
  return { players, programs, strengths: who.filter(Boolean) };
}

function dice({ match, dice_camera: camera }, page) {
  const ways = { program: t("seats.by_program"), tapped: t("seats.by_tapped"),
    ...(camera || match.dice_by === "camera" ? { camera: t("seats.by_camera") } : {}) };
  return [
    choice("dice_by", t("seats.dice_by"), ways, match.dice_by, page),
    ways.camera ? null : el("a", { class: "button", href: `${BASE}/camera?game=${encodeURIComponent(match.game)}` },
      t("start.camera")),
  ];
}

/** @param {TablePage} page */
function choice(name, heading, ways, now, page) {
  return el("fieldset", {}, el("legend", {}, heading), Object.entries(ways).map(([value, words]) =>
    el("label", { class: "tick" },
      el("input", { type: "radio", name, value, checked: value === now, "data-focus": `${name}-${value}`,
        onchange: () => change({ [name]: value }, page) }),
      el("span", {}, words))));
}
