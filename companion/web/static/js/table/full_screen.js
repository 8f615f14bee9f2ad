/** The full screen: board, dice, scores and what is to be done fill it, large enough to be read across a room. */

import { byId } from "../page/dom.js";

export function startFullScreen() {
  const button = byId("full-screen");
  if (!button) return; // a kiosk fills its screen in its own way
  const show = (on) => {
    document.body.classList.toggle("full-screen", on);
    button.setAttribute("aria-pressed", String(on));
  };
  button.addEventListener("click", () => {
    const on = !document.body.classList.contains("full-screen");
    show(on);
    // A browser that has no full screen, or refuses it, still shows the large view in its window.
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  });
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || show(false));
  document.addEventListener("keydown",
    (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && show(false));
}
