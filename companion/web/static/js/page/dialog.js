/** Dialogs that hold one form. */

import { el } from "./dom.js";
import { t } from "./texts.js";

/**
 * Ask something in a dialog. Its main button, `go`, calls `act(form)`: while that runs, a second tap does nothing, and
 * what it throws shows as a sentence. Then the dialog closes, unless `act` returned false. `leave`: the words of the
 * button that only closes it, which is in focus at first if one must be `careful`; `between`: what stands before it.
 */
export function askInDialog(dialog, heading, content, act,
  { go = heading, leave = t("page.cancel"), careful = false, between = /** @type {any} */ (null) } = {}) {
  const wrong = el("p", { class: "wrong", role: "alert" });
  const form = el("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      if (form.ariaBusy) return;
      form.ariaBusy = "true";
      wrong.textContent = "";
      try {
        if ((await act(form)) !== false) dialog.close();
      } catch (error) {
        wrong.textContent = error.message;
      } finally {
        form.ariaBusy = null;
      }
    },
  },
    el("h2", { id: `${dialog.id}-heading` }, heading), content, wrong,
    el("p", { class: "actions" },
      el("button", { type: "submit", class: "main-action" }, go), between,
      el("button", { type: "button", autofocus: careful, onclick: () => dialog.close() }, leave)));
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
  return form;
}
