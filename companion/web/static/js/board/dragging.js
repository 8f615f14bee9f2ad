/** Men that are dragged, beside tapping and keys: picked where the pointer goes down, played where it goes up. */

import { letGo, pick, picking } from "./moves.js";
import { svg } from "../page/dom.js";

const FAR = 8; // pixels; a shorter way is a tap

let drag = null; // {pointer, site, x, y, ghost}; the ghost is the man under the pointer, once it has gone far enough

/** Let men be dragged on the board in `box`; `now` returns the table's state, `redraw` shows what is picked. */
export function startDragging(box, now, redraw) {
  box.addEventListener("pointerdown", (event) => {
    const { site } = event.target.dataset;
    if (!site || !event.isPrimary || event.button !== 0 || !picking(now())?.origins.has(site)) return;
    drag = { pointer: event.pointerId, site, x: event.clientX, y: event.clientY, ghost: null };
  });
  const over = (act) => (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const { ghost, site } = drag;
    drag = null;
    ghost?.remove();
    box.querySelector(".lifted")?.classList.remove("lifted");
    if (ghost) act(event, site);
  };
  window.addEventListener("pointermove",
    (event) => drag?.pointer === event.pointerId && move(event, box, now(), redraw));
  window.addEventListener("pointercancel", over(() => letGo(redraw)));
  window.addEventListener("pointerup", over((event, from) => {
    const site = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.site;
    if (!site) letGo(redraw);
    else if (site !== from) pick(site, now(), redraw);
  }));
}

/** @param {State} state */
function move(event, box, state, redraw) {
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    const options = picking(state);
    if (!options?.origins.has(drag.site)) {
      drag = null;
      return;
    }
    if (options.chosen !== drag.site) pick(drag.site, state, redraw);
    drag.ghost = lift(box, drag.site);
  }
  drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
}

/** A copy of the uppermost man of a site, over the page. */
function lift(box, site) {
  const group = box.querySelector(`[data-men="${CSS.escape(site)}"]`);
  const men = group.querySelectorAll(".man");
  const parts = men.length > 1 ? [men[men.length - 1]] : [...group.children];
  const { x, y, width, height } = parts[0].getBBox();
  const scale = group.getScreenCTM().a;
  const ghost = svg("svg", { viewBox: `${x - 2} ${y - 2} ${width + 4} ${height + 4}`, class: "men-board ghost",
    "aria-hidden": "true", width: (width + 4) * scale, height: (height + 4) * scale },
    parts.map((part) => part.cloneNode(true)));
  for (const part of parts) part.classList.add("lifted");
  document.body.append(ghost);
  return ghost;
}
