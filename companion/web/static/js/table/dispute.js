/** A disputed event: what was seen, how sure that was, what the rules say, and the way to a correction. */

import { described, drawBoard } from "../board/drawing.js";
import { openCorrection } from "./correct.js";
import { dieLabel, dieName, drawDie, sureness } from "./dice.js";
import { BASE, byId, el } from "../page/dom.js";
import { attempt, fetched } from "../page/server.js";
import { say, t } from "../page/texts.js";
import { became, eventName, stamp, whoAndWhen } from "./told.js";

const UNSURE_TOLD = 6; // the most sites of a board to name

/**
 * Open the dialog for an event of a match. `corrected`: called after a correction is applied.
 * @param {TablePage} page
 */
export async function openDispute(event, match, page, { corrected = () => {} } = {}) {
  const dialog = byId("dispute");
  const told = await attempt(() => fetched(`${BASE}/api/matches/${match}/events/${event}`));
  if (!told) return;
  const open = (await tableMatch()) === match;
  dialog.replaceChildren(...view(told, match, page, open, corrected).flat(Infinity).filter(Boolean));
  if (!dialog.open) dialog.showModal();
}

/** The match that is open on the table: only that one can be corrected. */
async function tableMatch() {
  try {
    return (await fetched(`${BASE}/api/state`)).match?.id ?? null;
  } catch {
    return null;
  }
}

/** @param {TablePage} page */
function view(told, match, page, open, corrected) {
  const dialog = byId("dispute");
  const correct = (claim = null) => {
    dialog.close();
    openCorrection(told, page,
      { claim, picture: told.pictures?.find(({ when, name }) => when === "after" && name)?.name ?? null, corrected });
  };
  return [
    el("h2", { id: "dispute-heading", tabindex: -1, autofocus: true }, eventName(told)),
    el("p", { class: "lead" }, told.move ? el("span", { class: "move" }, told.move) : null, " ", say(told.text)),
    el("p", { class: "hint" }, whoAndWhen(told), told.by ? `, ${t(`dice.by_${told.by}`)}` : ""),
    el("p", {}, became(told)),
    told.correctable ? seen(told, page) : null,
    told.asked ? el("section", { class: "dispute-part" },
      el("h3", {}, t("dispute.asked")), el("p", {}, say(told.asked.sentence)),
      told.asked.answers.length ? el("ul", { class: "effects" },
        told.asked.answers.map((answer) => el("li", {}, answer))) : null) : null,
    told.correctable ? rules(told, match, open ? correct : null) : null,
    el("p", { class: "actions" },
      told.correctable && open ? el("button", { type: "button", class: "main-action", onclick: () => correct() },
        t(told.by === "camera" ? "dispute.read_wrongly" : "dispute.entered_wrongly")) : null,
      told.correctable && !open ? el("span", { class: "hint" }, t("dispute.not_open")) : null,
      el("button", { type: "button", onclick: () => dialog.close() }, t("page.close"))),
  ];
}

/**
 * What a camera saw: the dice or the board as read, and the pictures before and after if they were kept.
 * @param {TablePage} page
 */
function seen(told, page) {
  const look = told.seen;
  return el("section", { class: "dispute-part" },
    el("h3", {}, t("dispute.seen")),
    look === null ? el("p", {}, t(told.by === "program" ? "dispute.by_program" : "dispute.unseen")) : null,
    look?.dice?.length ? diceSeen(look.dice, told, page) : null,
    look?.board ? boardSeen(look) : null,
    look === null ? null : el("div", { class: "dispute-pictures" },
      told.pictures.map((picture) => pictureOf(picture))));
}

function pictureOf({ when, name, at }) {
  const caption = el("figcaption", {}, t(`dispute.${when}`), at === null ? "" : ` · ${stamp(at)}`);
  if (name === null) return el("figure", { class: "not-kept" },
    el("p", { class: "hint" }, t(at === null ? "dispute.no_picture" : "dispute.not_kept")), caption);
  const image = el("img", { src: `${BASE}/api/picture/${name}.jpg`, alt: t(`dispute.${when}_picture`) });
  image.addEventListener("error", () => image.replaceWith(el("p", { class: "hint" }, t("dispute.not_kept"))));
  return el("figure", {}, image, caption);
}

/**
 * Each die as read, how sure that is in words, what else it might be, and whether another face counts.
 * @param {TablePage} page
 */
function diceSeen(dice, told, page) {
  const set = dice[0].set;
  const known = page.setup.dice_sets[set]?.dice ?? [];
  const order = known.map(({ name }) => name);
  const shown = dice.filter((one) => one.status !== "ignored").sort((one, other) =>
    order.indexOf(one.die) - order.indexOf(other.die));
  return el("ul", { class: "dispute-dice" }, shown.map((one) => {
    const die = known.find(({ name }) => name === one.die) ?? { name: one.die ?? "?", shape: "cube", counts: "up" };
    const face = one.face ?? one.candidates[0]?.[0] ?? null;
    const others = one.candidates.filter(([text, chance]) => text !== face && chance >= 0.02).map(([text]) => text);
    const counted = told.faces?.[one.die];
    return el("li", { class: "die-seen", "data-status": one.status },
      drawDie(die, face, dieLabel(die, face)),
      el("span", { class: "die-name" }, dieName(die)),
      el("span", { class: "die-words" }, sureness(one.confidence)),
      others.length ? el("span", { class: "hint" }, t("dispute.or", { faces: others.join(", ") })) : null,
      counted && counted !== face ? el("strong", { class: "differs" },
        `≠ ${t("dispute.counts_as", { face: counted })}`) : null);
  }));
}

function boardSeen(look) {
  const options = { lies: look.seating?.lies, colours: look.seating?.colours };
  const unsure = look.unsure.slice(0, UNSURE_TOLD);
  return [
    el("figure", { class: "men-figure" },
      drawBoard(look.board, { ...options, marked: unsure.map(({ site }) => site),
        label: described(look.board, options) }),
      el("figcaption", {}, t("men.seen"))),
    unsure.length ? el("ul", { class: "effects" }, unsure.map(({ site, hidden, confidence }) =>
      el("li", {}, hidden ? t("dispute.site_hidden", { site }) : t("dispute.site_unsure",
        { site, sureness: sureness(confidence) })))) : el("p", { class: "hint" }, t("dispute.all_sure")),
  ];
}

/** What the rules said of the event, and what they say of a player's claim instead. */
function rules(told, match, correct) {
  const answer = el("div", { role: "status" });
  const field = el("input", { maxlength: 120, required: true, autocomplete: "off" });
  const form = el("form", {
    class: "claim",
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        const said = await fetched(
          `${BASE}/api/matches/${match}/events/${told.event}/claim?text=${encodeURIComponent(field.value)}`);
        answer.replaceChildren(
          el("p", { class: said.allowed ? "allowed" : "wrong" },
            `${said.allowed ? "✓" : "✗"} ${t(said.allowed ? "dispute.allowed" : "dispute.forbidden")} `,
            say(said.sentence)),
          ...(said.allowed && correct ? [el("button", { type: "button", onclick: () => correct(said) },
            t("dispute.correct_to", { move: said.text }))] : []));
      } catch (error) {
        answer.replaceChildren(el("p", { class: "wrong" }, error.message));
      }
    },
  },
    el("label", { class: "field" }, el("span", {}, t("dispute.claim")), field,
      el("small", { class: "hint" },
        t(told.kind === "choice" ? "dispute.claim_hint_move" : "dispute.claim_hint_throw", { move: told.move }))),
    el("button", { type: "submit" }, t("dispute.ask_rules")), answer);
  return el("section", { class: "dispute-part" },
    el("h3", {}, t("dispute.rules")),
    form);
}
