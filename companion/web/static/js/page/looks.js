/** Choosing the page's look: a cookie of this browser keeps it, and the server writes it into every page. */

import { BASE } from "./dom.js";

const YEAR = 365 * 24 * 3600;
const root = document.documentElement;

function keep() {
  const value = [root.dataset.theme ?? "", root.dataset.type ?? ""].join(".");
  document.cookie = `alea_look=${value}; path=${BASE}/; max-age=${YEAR}; samesite=lax`;
  for (const button of document.querySelectorAll(".looks button")) {
    const on = "type" in button.dataset ? button.dataset.type === root.dataset.type
      : button.dataset.theme === (root.dataset.theme ?? "");
    button.setAttribute("aria-pressed", String(on));
  }
}

for (const button of document.querySelectorAll(".looks button")) {
  button.addEventListener("click", () => {
    const { theme, type } = button.dataset;
    if (type !== undefined) {
      if (root.dataset.type === type) delete root.dataset.type;
      else root.dataset.type = type;
    } else if (theme === "") delete root.dataset.theme;
    else root.dataset.theme = theme;
    keep();
  });
}
