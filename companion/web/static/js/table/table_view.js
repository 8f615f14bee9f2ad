/** The view for a television: board, dice and scores fill the screen, everything large enough to be read from two metres. */

import { byId } from "../page/dom.js";

export function startTableView() {
  const button = byId("table-view");
  if (!button) return; // a kiosk fills its screen in its own way
  const show = (on) => {
    document.body.classList.toggle("table-view", on);
    button.setAttribute("aria-pressed", String(on));
  };
  button.addEventListener("click", () => {
    const on = !document.body.classList.contains("table-view");
    show(on);
    // A browser that refuses the full screen still shows the large view in its window.
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  });
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || show(false));
  document.addEventListener("keydown", (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && show(false));
}
