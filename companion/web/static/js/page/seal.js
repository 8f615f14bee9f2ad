/** A player's mark: a colour, a pattern and a letter, so that no player is marked by colour alone. */

import { el } from "./dom.js";

/** Letters that distinguish the players: initials, or numbers for players with the same initial. */
export function marks(players) {
  const initials = players.map((player) => [...player.name.trim()][0]?.toUpperCase() ?? "");
  return Object.fromEntries(
    players.map((player, n) => {
      const alone = initials[n] && initials.filter((initial) => initial === initials[n]).length === 1;
      return [player.number, alone ? initials[n] : String(player.number)];
    }),
  );
}

/** The seal of a player. */
export const seal = (number, mark) => el("span", { class: "seal", "data-owner": number, "aria-hidden": "true" }, mark);
