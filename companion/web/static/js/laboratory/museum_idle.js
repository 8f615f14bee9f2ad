/** When nobody is there any more, the page asks, counts down, and starts over for the next visitor. */

import { byId, setText } from "../page/dom.js";
import { t } from "../page/texts.js";

/** `idle` and `countdown` in seconds; `touched()`: whether there is anything to reset; `again()` resets it. */
export function startIdle({ idle, countdown, touched, again }) {
  const dialog = byId("still-there");
  let last = Date.now();
  let end = null; // ms; when the countdown ends

  const stay = () => {
    last = Date.now();
    if (end === null) return;
    end = null;
    dialog.close();
  };
  for (const kind of ["pointerdown", "keydown", "wheel", "alea:thrown"])
    document.addEventListener(kind, stay, { passive: true });
  dialog.addEventListener("cancel", stay);

  setInterval(() => {
    const now = Date.now();
    if (end === null) {
      if (!touched() || now - last < idle * 1000) return;
      end = now + countdown * 1000;
      dialog.showModal();
    }
    const left = Math.ceil((end - now) / 1000);
    setText(byId("countdown"), String(Math.max(0, left)));
    if (left > 0) return;
    end = null;
    last = now;
    dialog.close();
    again();
  }, 250);

  setText(byId("still-there-line"), t("museum.still_there"));
}
