/** A disputed event: what was seen, how sure that was, what the rules say, and the way to a correction. */

import { described, drawBoard } from "../board/drawing.js";
import { openCorrection } from "./correct.js";
import { dieLabel, dieName, drawDie, sureness } from "./dice.js";
import { BASE, byId, el } from "../page/dom.js";
import { attempt, fetched } from "../page/server.js";
import { say, t } from "../page/texts.js";
import { became, eventName, stamp, whoAndWhen } from "./event_words.js";

const UNSURE_TOLD = 6; // the most sites of a board to name

/**
 * Open the dialog for an event of a match. `corrected`: called after a correction is applied.
 * @param {TablePage} page
 */
export async function openDispute(event, match, page, { corrected = () => {} } = {}) {
  const dialog = byId("dispute");
  const entry = await attempt(() => fetched(`${BASE}/api/matches/${match}/events/${event}`));
  if (!entry) return;
  const open = (await tableMatch()) === match;
  dialog.replaceChildren(...view(entry, match, page, open, corrected).flat(Infinity).filter(Boolean));
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
function view(entry, match, page, open, corrected) {
  const dialog = byId("dispute");
  const correct = (claim = null) => {
    dialog.close();
    openCorrection(entry, page,
      { claim, picture: entry.pictures?.find(({ when, name }) => when === "after" && name)?.name ?? null, corrected });
  };
  return [
    el("h2", { id: "dispute-heading", tabindex: -1, autofocus: true }, eventName(entry)),
    el("p", { class: "lead" }, entry.move ? el("span", { class: "move" }, entry.move) : null, " ", say(entry.text)),
    el("p", { class: "hint" }, whoAndWhen(entry), entry.by ? `, ${t(`dice.by_${entry.by}`)}` : ""),
    el("p", {}, became(entry)),
    entry.correctable ? seen(entry, page) : null,
    entry.asked ? el("section", { class: "dispute-part" },
      el("h3", {}, t("dispute.asked")), el("p", {}, say(entry.asked.sentence)),
      entry.asked.answers.length ? el("ul", { class: "effects" },
        entry.asked.answers.map((answer) => el("li", {}, answer))) : null) : null,
    entry.correctable ? rules(entry, match, open ? correct : null) : null,
    el("p", { class: "actions" },
      entry.correctable && open ? el("button", { type: "button", class: "main-action", onclick: () => correct() },
        t(entry.by === "camera" ? "dispute.read_wrongly" : "dispute.entered_wrongly")) : null,
      entry.correctable && !open ? el("span", { class: "hint" }, t("dispute.not_open")) : null,
      el("button", { type: "button", onclick: () => dialog.close() }, t("page.close"))),
  ];
}

/**
 * What a camera saw: the dice or the board as read, and the pictures before and after if they were kept.
 * @param {TablePage} page
 */
function seen(entry, page) {
  const look = entry.seen;
  return el("section", { class: "dispute-part" },
    el("h3", {}, t("dispute.seen")),
    look === null ? el("p", {}, t(entry.by === "program" ? "dispute.by_program" : "dispute.unseen")) : null,
    look?.dice?.length ? diceSeen(look.dice, entry, page) : null,
    look?.board ? boardSeen(look) : null,
    look === null ? null : el("div", { class: "dispute-pictures" },
      entry.pictures.map((picture) => pictureOf(picture))));
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
function diceSeen(dice, entry, page) {
  const set = dice[0].set;
  const known = page.setup.dice_sets[set]?.dice ?? [];
  const order = known.map(({ name }) => name);
  const diceShown = dice.filter((one) => one.status !== "ignored").sort((one, other) =>
    order.indexOf(one.die) - order.indexOf(other.die));
  return el("ul", { class: "dispute-dice" }, diceShown.map((one) => {
    const die = known.find(({ name }) => name === one.die) ?? { name: one.die ?? "?", shape: "cube", counts: "up" };
    const face = one.face ?? one.candidates[0]?.[0] ?? null;
    const others = one.candidates.filter(([text, chance]) => text !== face && chance >= 0.02).map(([text]) => text);
    const counted = entry.faces?.[one.die];
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

/** What the rules make of the event, and of a player's claim instead. */
function rules(entry, match, correct) {
  const answer = el("div", { role: "status" });
  const field = el("input", { maxlength: 120, required: true, autocomplete: "off" });
  const form = el("form", {
    class: "claim",
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        const ruling = await fetched(
          `${BASE}/api/matches/${match}/events/${entry.event}/claim?text=${encodeURIComponent(field.value)}`);
        answer.replaceChildren(
          el("p", { class: ruling.allowed ? "allowed" : "wrong" },
            `${ruling.allowed ? "✓" : "✗"} ${t(ruling.allowed ? "dispute.allowed" : "dispute.forbidden")} `,
            say(ruling.sentence)),
          ...(ruling.allowed && correct ? [el("button", { type: "button", onclick: () => correct(ruling) },
            t("dispute.correct_to", { move: ruling.text }))] : []));
      } catch (error) {
        answer.replaceChildren(el("p", { class: "wrong" }, error.message));
      }
    },
  },
    el("label", { class: "field" }, el("span", {}, t("dispute.claim")), field,
      el("small", { class: "hint" },
        t(entry.kind === "choice" ? "dispute.claim_hint_move" : "dispute.claim_hint_throw", { move: entry.move }))),
    el("button", { type: "submit" }, t("dispute.ask_rules")), answer);
  return el("section", { class: "dispute-part" },
    el("h3", {}, t("dispute.rules")),
    form);
}
