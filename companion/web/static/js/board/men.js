/** The men on the board: as the match has them, the last play, an open question, and a mismatch. */

import { described, drawBoard, isTall, onTurn, sayMen, slide } from "./drawing.js";
import { answered, claimPanel } from "./claims.js";
import { startDragging } from "./dragging.js";
import { byId, el, rebuild } from "../page/dom.js";
import { beside, sides } from "./men_beside.js";
import { letGo, pick, picking, play } from "./moves.js";
import { tryCommand } from "../page/server.js";
import { hintArrows, hintOf } from "../table/hint.js";
import { advise } from "../table/status.js";
import { listed, say, t } from "../page/texts.js";

/**
 * What this page shows: the answer with the arrows, the match and event drawn last, whether the men may be dragged.
 *
 * @type {{ answer: number, event: { match: ?number, number: number } | null, started: boolean }}
 */
const shown = { answer: 0, event: null, started: false };

/** @param {State} state @param {TablePage} page */
export function showMen(state, page) {
  const box = byId("men");
  start(box, page);
  const { board = null, watch = null } = state;
  const ask = watch?.ask ?? null;
  makeRoom(board, state.ludix);
  box.hidden = board === null && ask === null;
  if (box.hidden) {
    advise("");
    delete box.dataset.key;
    return;
  }
  const now = ask || misfit(watch) ? null : picking(state);
  const moved = movedSince(state);
  const drawn = draw(box, { board, watch, ask, now, moved }, state, page);
  adviseOf(now, state, seatingOf(watch));
  if (!drawn) return;
  if (moved) slide(box);
  box.querySelector(".claim")?.scrollIntoView({ block: "nearest" }); // below a board that may fill the window
}

const misfit = (watch) => watch?.finding?.kind === "mismatch";

/** Draw the question, the mismatch or the board for playing; true if it was drawn again. */
function draw(box, { board, watch, ask, now, moved }, state, page) {
  const always = [state.match?.id, board, watch?.seating, isTall()];
  box.dataset.kind = ask ? "asked" : misfit(watch) ? "mismatch" : "plain";
  if (ask) return rebuild(box, [...always, ask], () => question(ask, board, watch));
  shown.answer = 0;
  if (misfit(watch)) return rebuild(box, [...always, watch.finding], () => mismatch(watch.finding, board, watch));
  return showPlain(box, always, { state, now, moved, page });
}

/** The board for playing, brought into view for a hint; true if it was drawn again. */
function showPlain(box, always, { state, now, moved, page }) {
  const help = hintOf(state);
  const finding = state.watch?.finding ?? null;
  const key = [...always, finding?.kind === "go on" ? finding : null, now && keyOf(now, state), help];
  const drawn = rebuild(box, key, () => plain(state, now, page, { moved, help }));
  if (drawn && help?.steps) box.querySelector(".men-board").scrollIntoView({ block: "nearest" });
  return drawn;
}

/** @param {TablePage} page */
function start(box, page) {
  if (shown.started) return;
  onTurn(page.redraw);
  startDragging(box, () => page.state, () => showMen(page.state, page));
  shown.started = true;
}

/** Let a board take the place of what else is drawn, which otherwise stays open or closed. */
function makeRoom(board, ludix) {
  const drew = document.body.classList.contains("svg-board");
  document.body.classList.toggle("svg-board", board !== null);
  if (drew !== (board !== null)) byId("drawn-text").open = board === null && !ludix;
}

/** Whether the match went on since the board was drawn. */
function movedSince({ match, log }) {
  const before = shown.event;
  const now = { match: match?.id ?? null, number: log?.at(-1)?.event ?? 0 };
  shown.event = now;
  return before !== null && before.match === now.match && before.number < now.number;
}

const keyOf = (now, state) => [now.chosen, now.ways.map((way) => way.text), [...now.origins], state.awaits.player,
  now.claimed && answered(state, now.claimed), now.refused];

const seatingOf = (watch) => ({ lies: watch?.seating?.lies, colours: watch?.seating?.colours });

/** One board with a caption below it. */
function figure(board, caption, options) {
  if (board === null) return el("span", {}); // the page draws the virtues elsewhere; only the question is here
  const words = described(board, options);
  return el("figure", { class: "men-figure" },
    drawBoard(board, { ...options, label: caption ? `${caption}. ${words}` : words }),
    caption ? el("figcaption", {}, caption) : null);
}

/**
 * The board for playing: sites that may be picked are buttons; below it is what lies beside the board.
 * @param {TablePage} page
 */
function plain(state, now, page, { moved, help }) {
  const { board, watch } = state;
  const finding = watch?.finding ?? null;
  const going = finding?.kind === "go on";
  const redraw = () => showMen(page.state, page);
  const picks = (site) => pick(site, page.state, redraw);
  const options = { ...seatingOf(watch), arrows: going ? finding.arrows : board.last, kind: going ? "now" : "last",
    slides: moved && !going, picking: now && { ...now, pick: picks, cancel: () => letGo(redraw) } };
  const steps = hintArrows(help);
  if (steps.length) Object.assign(options,
    { arrows: steps, kind: "hinted", slides: false, taken: taken(steps, board) });
  return [
    el("div", { class: "men-window" }, figure(board, null, options)),
    now?.ways.length ? el("div", { class: "men-ways actions" }, now.ways.map((way) =>
      el("button", { type: "button", "data-focus": `way-${way.choice.die}`, onclick: () => play(way) },
        t("moves.with_die", { die: way.choice.die })))) : null,
    now?.claimed ? claimPanel(state, now.claimed, redraw) : null,
    sides(board, page),
    ...beside(state, now, page, picks),
  ];
}

/** The sites of the men whom a turn takes: a claim names them, and a man may land on a lone enemy. */
const taken = (arrows, board) => arrows.flatMap(({ from, to }) => {
  const side = Object.keys(board.men[arrows[0].from] ?? {})[0];
  return !to ? [from] : Object.keys(board.men[to] ?? {}).some((other) => board.sides && other !== side) ? [to] : [];
});

/** Say in the status what to do next, or why not. */
function adviseOf(now, state, options) {
  if (!now) advise("");
  else if (now.refused) advise(now.refused, { alone: true, refused: true });
  else if (now.ways.length) advise(t("moves.which_die"), { alone: true });
  else if (now.claimed) advise(t("moves.say_how"), { alone: true });
  else if (now.chosen !== null) {
    const where = now.chosen.startsWith("held") ? t("moves.from_hand")
      : t("moves.site_other", { site: now.chosen, men: sayMen(state.board.men[now.chosen], options) });
    advise(now.targets.size > 12 ? t("moves.go_anywhere", { where })
      : t("moves.go", { where, sites: listed([...now.targets], "or") }), { alone: true });
  } else advise(t(now.origins.size ? "moves.pick_a_man" : now.takes.size ? "moves.pick_an_enemy" : "moves.nobody"));
}

/** A button for each answer; the board shows its arrows while it is hovered or has the focus. */
function question(ask, board, watch) {
  const stage = el("div", { class: "men-stage" });
  const options = seatingOf(watch);
  const show = (place) => {
    shown.answer = place;
    const arrows = ask.candidates[place]?.arrows ?? [];
    stage.replaceChildren(figure(board, null, { ...options, arrows, kind: "asked", marked: ask.sites }));
  };
  show(Math.min(shown.answer, Math.max(0, ask.candidates.length - 1)));
  const answer = (place) => tryCommand("answer_board", { ask: ask.id, candidate: place });
  const buttons = ask.candidates.length
    ? ask.candidates.map((candidate, place) => el("button", {
      type: "button", class: place ? "answer" : "answer main-answer", "data-focus": `board-${place}`,
      onfocus: () => show(place), onmouseenter: () => show(place), onclick: () => answer(place),
    }, say(candidate.sentence)))
    : el("button", { type: "button", class: "answer main-answer", "data-focus": "board-0", onclick: () => answer(0) },
      t("men.as_agreed"));
  return [
    el("div", { class: "men-ask", role: "group", "aria-labelledby": "headline" },
      el("h2", { id: "men-ask-heading" }, t("men.ask_heading")),
      el("div", { class: "ask-answers" }, buttons),
      el("div", { class: "actions" }, el("button", {
        type: "button", "data-focus": "board-none",
        onclick: () => tryCommand("dismiss_board", { ask: ask.id, reason: t("men.none_reason") }),
      }, t(ask.about === "men" ? "men.not_as_agreed" : "men.none")))),
    stage,
  ];
}

/** The expected board beside the seen one, and how to make them agree; the headline says why. */
function mismatch(finding, board, watch) {
  const options = { ...seatingOf(watch), marked: finding.sites };
  const arrows = finding.orders.map((order) => order.arrow);
  const seen = finding.seen ? { name: board.name, men: finding.seen } : null;
  return [
    el("div", { class: "men-wrong" },
      finding.why_not ? el("p", { class: "men-rule" }, say(finding.why_not)) : null,
      finding.orders.length ? el("div", { class: "men-orders" },
        el("h2", {}, t("men.orders")),
        el("ol", {}, finding.orders.slice(0, 6).map((order) => el("li", {}, say(order.sentence))))) : null,
      finding.differences.length ? el("ul", { class: "unseen" }, finding.differences.map((site) =>
        el("li", {}, t("men.difference",
          { site: site.site, expected: sayMen(site.expected, options), seen: sayMen(site.seen, options) })))) : null),
    el("div", { class: seen ? "men-pair" : "men-stage" },
      figure(board, t("men.expected"), options),
      seen ? figure(seen, t("men.seen"), { ...options, arrows, kind: "order" }) : null),
  ];
}
