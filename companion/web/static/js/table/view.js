/** How this browser shows the page: which parts it has unfolded, and whether the page fills the screen. */

import { byId, remember, remembered } from "../page/dom.js";

const REMEMBERED = ["curve-fold", "log-fold"];
const KEY = "alea.unfolded";

/** Connect the folds and the full screen; `unfolded` is called when a fold was opened or closed. */
export function startView(unfolded) {
  startFolds();
  startFullScreen();
  for (const fold of document.querySelectorAll(".side > .fold")) fold.addEventListener("toggle", unfolded);
}

function startFolds() {
  const open = new Set(remembered(KEY)?.split(" "));
  for (const name of REMEMBERED) {
    const fold = byId(name);
    fold.open = open.has(name);
    fold.addEventListener("toggle", () => {
      open[fold.open ? "add" : "delete"](name);
      remember(KEY, [...open].join(" "));
    });
  }
}

/** The full screen: board, dice, scores and what is to be done fill it, large enough to be read across a room. */
function startFullScreen() {
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
