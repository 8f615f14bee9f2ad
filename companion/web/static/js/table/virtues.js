/** The boards of the virtues: who holds which since when, where the lot points, and the details of one on request. */

import { openReading } from "./dice_now.js";
import { byId, el, remember, remembered } from "../page/dom.js";
import { marks, seal } from "../page/seal.js";
import { t } from "../page/texts.js";

const KEY = "alea.board";
const OF_HOLDER = ".throw-number, .seal, .owner-name"; // what a cell has only while somebody holds its virtue
let fresh = true; // the first drawing shows no celebration
let last = null; // the state that the boards show
let openLot = null;

/** Update both boards to the state. @param {State} state @param {TablePage} page */
export function showBoard(state, page) {
  const letters = marks(state.match?.players ?? []);
  const pointed = pointedLots(state);
  for (const cell of document.querySelectorAll(".virtue")) {
    showHolder(cell, letters, page);
    cell.toggleAttribute("data-pointed", pointed.has(cell.dataset.lot));
  }
  for (const pair of document.querySelectorAll(".pair")) {
    const owners = pair.dataset.lots.split(" ").map((lot) => page.virtue(lot)?.owner ?? null);
    const complete = owners[0] !== null && owners[0] === owners[1];
    if (complete) pair.dataset.complete = owners[0];
    else delete pair.dataset.complete;
  }
  fresh = false;
  last = state;
  if (openLot) showDetails(openLot, page);
}

/** Draw a cell whose holder is another one than it shows: most are free, as the page came. @param {TablePage} page */
function showHolder(cell, letters, page) {
  const virtue = page.virtue(cell.dataset.lot);
  const owner = virtue?.owner ?? null;
  const before = cell.dataset.owner;
  const key = owner === null ? "" : [owner, letters[owner], virtue?.throw].join(" ");
  if (key === (cell.dataset.key ?? "") && (key || !before)) return;
  for (const part of cell.querySelectorAll(OF_HOLDER)) part.remove();
  cell.dataset.key = key;
  if (virtue && owner !== null) hold(cell, virtue, letters[owner], page);
  else {
    delete cell.dataset.owner;
    cell.querySelector("button").setAttribute("aria-describedby", "virtue-free");
  }
  if (!fresh && owner !== null && before !== String(owner)) celebrate(cell);
}

/** @param {TablePage} page */
function hold(cell, virtue, letter, page) {
  const button = cell.querySelector("button");
  cell.dataset.owner = virtue.owner;
  button.removeAttribute("aria-describedby");
  (cell.querySelector(".meta") ?? button).append(el("span", { class: "throw-number" }, virtue.throw || null));
  button.append(seal(virtue.owner, letter), el("span", { class: "unseen owner-name" }, ownerText(virtue, page)));
}

/** @param {TablePage} page */
const ownerText = (virtue, page) =>
  virtue.throw
    ? t("boards.owned", { player: page.name(virtue.owner), throw: virtue.throw })
    : t("boards.owned_unknown", { player: page.name(virtue.owner) });

/** @param {State} state */
function pointedLots(state) {
  const prospects = openReading(state)?.prospects;
  if (prospects) return new Set(prospects.virtues.length <= 6 ? prospects.virtues : []);
  return new Set(state.throw?.details?.meant ?? (state.throw?.details?.virtue ? [state.throw.details.virtue] : []));
}

function celebrate(cell) {
  cell.classList.remove("won");
  void cell.offsetWidth; // restarts the animation
  cell.classList.add("won");
}

/** @param {TablePage} page */
function showDetails(lot, page) {
  const virtue = page.virtue(lot);
  const box = byId("virtue-details");
  const cell = onRim(lot);
  const mate = pairs().find((pair) => pair.includes(lot)).find((other) => other !== lot);
  const mateName = onRim(mate).querySelector(".name").textContent;
  openLot = lot;
  box.hidden = false;
  box.replaceChildren(
    el("p", {}, el("strong", {}, cell.querySelector(".name").textContent), " ",
      el("em", { lang: "la" }, cell.querySelector(".latin").textContent)),
    el("p", {}, t("boards.details_sum", { lot, sum: sumOf(lot) }), ". ", t("boards.details_mate", { mate: mateName })),
    el("p", {}, !virtue?.owner ? t("boards.free") : ownerText(virtue, page)),
    el("button", { type: "button", class: "quiet", "aria-label": t("page.close"), onclick: closeDetails }, "×"),
  );
}

function closeDetails() {
  openLot = null;
  byId("virtue-details").hidden = true;
}

const onRim = (lot) => document.querySelector(`.rim [data-lot="${lot}"]`);
const pairs = () => document.querySelector(".pairs").dataset.pairs.split(",").map((pair) => pair.split(" "));
const sumOf = (lot) => lot.split(".").reduce((one, other) => one + Number(other), 0);

/** Make the board of the pairs out of the rim's cells, once somebody wants to see it. @param {TablePage} page */
function makePairs(page) {
  const list = document.querySelector(".pairs");
  if (list.childElementCount) return;
  const cell = (lot) => el("div", { class: "virtue", "data-lot": lot },
    el("button", { type: "button", tabindex: -1, "aria-describedby": "virtue-free" },
      [".lot", ".name", ".latin"].map((part) => onRim(lot).querySelector(part).cloneNode(true))));
  list.append(...pairs().map(([low, high]) => el("li", { class: "pair", "data-lots": `${low} ${high}` }, cell(low),
    el("span", { class: "sums", "aria-hidden": "true" }, sumOf(low), el("i", {}, "+"), sumOf(high)), cell(high))));
  list.querySelector("button").tabIndex = 0;
  fresh = true;
  if (last) showBoard(last, page);
}

/** Connect taps, arrow keys and the switch between the boards. @param {TablePage} page */
export function startBoard(page) {
  const stage = byId("stage");
  const view = (wanted) => {
    if (wanted === "pairs") makePairs(page);
    stage.dataset.view = wanted;
  };
  for (const input of document.querySelectorAll("#board-switch input")) {
    if (input.value === read()) input.checked = true;
    input.addEventListener("change", () => {
      view(input.value);
      remember(KEY, input.value);
    });
  }
  view(read());
  for (const list of document.querySelectorAll(".rim, .pairs")) {
    const first = list.querySelector("button");
    if (first) first.tabIndex = 0; // one stop for Tab; arrow keys continue from there
    list.addEventListener("keydown", (event) => {
      const buttons = [...list.querySelectorAll("button")];
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const at = buttons.indexOf(document.activeElement);
      if (event.key === "Escape") closeDetails();
      if (!step || at < 0) return;
      event.preventDefault();
      const next = buttons[(at + step + buttons.length) % buttons.length];
      for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
      next.focus();
    });
    list.addEventListener("click", (event) => {
      const lot = event.target.closest(".virtue")?.dataset.lot;
      if (lot) showDetails(lot, page);
    });
  }
}

const read = () => (remembered(KEY) === "pairs" ? "pairs" : "rim");
