/** What this visitor may do while a class plays at the table; without a class, what everybody may. */

/** Whether the visitor may decide over the match; the server asks whoever tries for the owner's PIN. */
export const mayDecide = () => ["owner", undefined].includes(document.body.dataset.part);

/** Whether the visitor may tap in what lies on the table. */
export const mayPlay = () => mayDecide() || document.body.dataset.part === "plays";

/** A state without what the server would refuse to this visitor. */
export function offered(state) {
  if (mayDecide()) return state;
  const undo = state.undo?.anyone ? state.undo : null;
  if (mayPlay()) return { ...state, undo };
  const watch = state.watch && { ...state.watch, ask: null };
  return { ...state, watch, undo: null, ask: null, choices: [], awaits: state.awaits && { ...state.awaits, kind: "watched" } };
}
