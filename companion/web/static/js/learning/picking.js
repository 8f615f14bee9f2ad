/** Playing on a board that teaches: which men and enemies can be picked, and what a pick does. */

import { asMove } from "../board/moves.js";
import { t } from "../page/texts.js";

/** @typedef {{ from: ?string, claimed: ?string }} Picked the man picked to move, and the enemy to take */

/**
 * What can be picked, as `drawBoard` takes it. `now`: what the server says of the position; `act` does one thing more,
 * `show` draws another pick.
 * @param {any} now @param {Picked} picked @param {(text: string) => any} act @param {(picked: Picked) => any} show
 */
export function pickable(now, picked, act, show) {
  const moves = now.choices.flatMap(asMove);
  const own = now.player === 1 ? "white" : "black";
  const { men, claims, sides } = now.board;
  const origins = new Set(moves.map(({ origin }) => origin));
  const takes = new Set(claims?.length ? Object.keys(men).filter((site) => men[site].colour !== own) : []);
  const { from, claimed } = picked;
  return {
    origins,
    targets: new Set(moves.filter(({ origin }) => origin === from).map(({ to }) => to)),
    takes,
    chosen: claimed ?? from,
    current: from ?? [...origins][0] ?? Object.keys(men)[0],
    colour: sides ? (now.player === 1 ? "light" : "dark") : own,
    cancel: () => show({ from: null, claimed: null }),
    pick(site) {
      const found = moves.find(({ origin, to }) => origin === from && to === site);
      if (found) act(found.text);
      else if (origins.has(site) && site !== from) show({ from: site, claimed: null });
      else if (takes.has(site)) show({ from: null, claimed: site });
      else if (from && site !== from) act(`${from}-${site}`); // the rules say why not
      else show({ from: null, claimed: null });
    },
  };
}

/** The choices that move no man, for buttons. */
export const unmoved = (now) => now.choices.filter((one) => !asMove(one).length);

/** The kinds of capture by which a picked enemy may be taken, each with its act. */
export const kinds = (now, { claimed }) => now.board.claims.map((kind) =>
  ({ key: `kind-${kind}`, words: t(`claims.${kind}`), text: `takes ${claimed} by ${kind}` }));
