/** A player's mark: a colour and a letter, so that no player is marked by colour alone. */

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

/**
 * Where a board has light and dark men, give every player's marks the colour of his men; elsewhere each has his own.
 */
export function wearMen(players, board, seating) {
  for (const { number } of players) {
    const side = board?.sides?.[number] ?? Math.ceil((2 * number) / players.length);
    const seen = Object.entries(seating?.colours ?? {}).find(([, owner]) => owner === side)?.[0];
    const men = !board ? null : (seen ?? ["light", "dark"][side - 1]);
    document.body.style.setProperty(`--p${number}`, men && `var(--${men}-men)`);
    document.body.style.setProperty(`--on-p${number}`, men === "light" ? "#2b1f14" : null);
  }
}
