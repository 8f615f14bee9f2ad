/**
 * On an upright screen everything to press stands in a dock at its lower end, within reach of a child and of somebody
 * in a wheelchair.
 */

import { byId, el } from "../page/dom.js";

const upright = matchMedia("(orientation: portrait)");
const DOCKED = ["ask", "tap", "choices", "controls"];

/**
 * Move what is pressed into the dock while the screen is upright, and back to its place beside the dice when it is
 * turned.
 */
export function keepDock() {
  const dock = el("div", { id: "kiosk-dock", class: "kiosk-dock" });
  const places = DOCKED.map((id) => {
    const place = document.createComment(id);
    byId(id).before(place);
    return place;
  });
  document.querySelector("main").append(dock);
  const settle = () => {
    dock.hidden = !upright.matches;
    DOCKED.forEach((id, n) => (upright.matches ? dock.append(byId(id)) : places[n].after(byId(id))));
  };
  upright.addEventListener("change", settle);
  settle();
}
