/** The boards of the virtues: who holds which since when, where the lot points, and the details of one on request. */

import { openReading } from "./dice_now.js";
import { byId, el, setText } from "../page/dom.js";
import { marks } from "../page/seal.js";
import { t } from "../page/texts.js";

const cells = [...document.querySelectorAll(".virtue")];
let fresh = true; // the first drawing shows no celebration
let openLot = null;

/** Update both boards to the state. @param {State} state @param {TablePage} page */
export function showBoard(state, page) {
  const letters = marks(state.match?.players ?? []);
  const pointed = pointedLots(state);
  for (const cell of cells) {
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
  if (openLot) showDetails(openLot, page);
}

/** @param {TablePage} page */
function showHolder(cell, letters, page) {
  const virtue = page.virtue(cell.dataset.lot);
  const owner = virtue?.owner ?? null;
  const before = cell.dataset.owner ?? null;
  if (owner === null) delete cell.dataset.owner;
  else cell.dataset.owner = owner;
  setText(cell.querySelector(".seal"), owner === null ? "" : letters[owner]);
  setText(cell.querySelector(".throw-number"), virtue?.throw ? String(virtue.throw) : "");
  setText(cell.querySelector(".owner-name"), owner === null ? t("boards.free") : ownerText(virtue, page));
  if (!fresh && owner !== null && before !== String(owner)) celebrate(cell);
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
  const cell = cells.find((entry) => entry.dataset.lot === lot);
  const pair = document.querySelector(`.pair[data-lots~="${lot}"]`);
  const mate = pair.dataset.lots.split(" ").find((other) => other !== lot);
  const mateName = pair.querySelector(`[data-lot="${mate}"] .name`).textContent;
  const sum = lot.split(".").reduce((one, other) => one + Number(other), 0);
  openLot = lot;
  box.hidden = false;
  box.replaceChildren(
    el("p", {}, el("strong", {}, cell.querySelector(".name").textContent), " ",
      el("em", { lang: "la" }, cell.querySelector(".latin").textContent)),
    el("p", {}, t("boards.details_sum", { lot, sum }), ". ", t("boards.details_mate", { mate: mateName })),
    el("p", {}, !virtue?.owner ? t("boards.free") : ownerText(virtue, page)),
    el("button", { type: "button", class: "quiet", "aria-label": t("page.close"), onclick: closeDetails }, "×"),
  );
}

function closeDetails() {
  openLot = null;
  byId("virtue-details").hidden = true;
}

/** Connect taps, arrow keys and the switch between the boards. @param {TablePage} page */
export function startBoard(page) {
  const stage = byId("stage");
  for (const input of document.querySelectorAll("#board-switch input")) {
    if (input.value === read()) input.checked = true;
    input.addEventListener("change", () => {
      stage.dataset.view = input.value;
      keep(input.value);
    });
  }
  stage.dataset.view = read();
  for (const list of document.querySelectorAll(".rim, .pairs")) {
    const buttons = [...list.querySelectorAll(".virtue button")];
    buttons[0].tabIndex = 0; // one stop for Tab; arrow keys continue from there
    list.addEventListener("keydown", (event) => {
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

function read() {
  try {
    return localStorage.getItem("alea.board") === "pairs" ? "pairs" : "rim";
  } catch {
    return "rim"; // storage may be forbidden
  }
}

function keep(view) {
  try {
    localStorage.setItem("alea.board", view);
  } catch {
    /* then the rim shows again next time */
  }
}
