/**
 * What this visitor may do: without a class at the table what everybody may, and in a demonstration watch and answer.
 */

let shown = false; // a sample plays its own match: what one taps would only lead it astray

/** Whether the visitor may decide over the match; the server asks whoever tries for the owner's PIN. */
export const mayDecide = () => ["owner", undefined].includes(document.body.dataset.part);

/** Whether the visitor may tap in what lies on the table. */
export const mayPlay = () => (mayDecide() && !shown) || document.body.dataset.part === "plays";

/** A state without what the server would refuse to this visitor. @param {any} state @returns {State} */
export function offered(state) {
  shown = Boolean(state.sample && state.match?.watched && !state.match.paused && !state.outcome);
  const nothing = { undo: null, choices: [], awaits: state.awaits && { ...state.awaits, kind: "watched" } };
  if (mayDecide()) return shown ? { ...state, ...nothing } : state;
  const undo = state.undo?.anyone ? state.undo : null;
  if (mayPlay()) return { ...state, undo };
  const watch = state.watch && { ...state.watch, ask: null };
  return { ...state, ...nothing, watch, ask: null };
}
