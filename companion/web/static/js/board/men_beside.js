/** What is beside a board: the parts of each pyramid, and the men that a player holds. */

import { numberedMan } from "./plans.js";
import { el, svg } from "../page/dom.js";
import { heldName } from "./moves.js";
import { listed, t } from "../page/texts.js";

/** Everything of it that this game has. @param {TablePage} page */
export function beside(state, now, page, pick) {
  const { board } = state;
  const pyramids = Object.entries(board.men).filter(([, man]) => man.parts?.length);
  const held = Object.entries(board.held ?? {}).filter(([, men]) => men.length);
  return [
    pyramids.length ? el("ul", { class: "pyramids" }, pyramids.map(([site, man]) => pyramid(site, man))) : null,
    ...held.map(([player, men]) => holding(Number(player), men, now, page, pick)),
  ];
}

/** Which player has the light men and which the dark: colours alone are not enough. @param {TablePage} page */
export function sides(board, page) {
  if (!board.sides) return null;
  const names = (side) => Object.entries(board.sides).filter(([, one]) => one === side).map(([player]) =>
    page.name(Number(player)));
  return el("p", { class: "men-sides" }, t("moves.whose", { light: listed(names(1)), dark: listed(names(2)) }));
}

const small = (man) => svg("svg", { viewBox: "0 0 60 60", class: "small-man", "aria-hidden": "true" },
  numberedMan(man, 30, 30));

function pyramid(site, man) {
  const sum = man.parts.map((part) => part.number).join(" + ");
  return el("li", { class: "pyramid" },
    el("span", {}, t("moves.pyramid", { colour: t(`men.${man.colour}`), site })),
    el("span", { class: "pyramid-parts" }, man.parts.map((part) => small({ ...part, colour: man.colour }))),
    el("span", { class: "pyramid-sum" }, man.parts.length > 1 ? `${sum} = ${man.number}` : ""));
}

/** The men that a player has taken; those that may return are buttons. @param {TablePage} page */
function holding(player, men, now, page, pick) {
  return el("div", { class: "held", "data-player": player },
    el("span", {}, t("moves.holds", { player: page.name(player) })),
    el("ul", { class: "held-men" }, men.map((man) => {
      const name = heldName(man);
      const words = t("moves.part", { shape: t(`men.${man.shape}`), number: man.number });
      const mine = page.state.awaits.player === player && now?.origins.has(name);
      return el("li", {}, mine
        ? el("button", { type: "button", class: "held-man", "data-focus": name,
          "aria-pressed": now.chosen === name ? "true" : "false", "aria-label": t("moves.bring_back", { man: words }),
          onclick: () => pick(name) }, small(man))
        : el("span", { class: "held-man" }, small(man), el("span", { class: "unseen" }, words)));
    })));
}
