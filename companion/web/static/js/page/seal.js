/** A player's mark: colour, pattern and a letter of their own, so that nobody is told by colour alone. */

import { el } from "./dom.js";

/** Letters by which players can be told apart: initials, or the number where two would be alike. */
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
