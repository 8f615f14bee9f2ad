/** A sheet that says how the game is played, and which keys do what. */

import { BASE, byId, el } from "../page/dom.js";
import { keysAct, letKeysAct } from "./keys.js";
import { unit } from "./players.js";
import { attempt, fetched } from "../page/server.js";
import { t } from "../page/texts.js";

const KEYS = ["space", "digits", "undo", "arrows", "help", "escape"];
const rules = new Map(); // each game's rules, as the server sent them

/** Open the sheet, with the keys unfolded if somebody pressed the key for it. */
export async function openHelp({ state }, { keys = false } = {}) {
  const { game, goal } = state.match;
  const { lang } = document.documentElement;
  if (!rules.has(game)) rules.set(game, await attempt(() => fetched(`${BASE}/api/rules/${game}?language=${lang}`)));
  if (!rules.get(game)) return void rules.delete(game); // the next time asks again
  const { title, steps, source, course } = rules.get(game);
  const dialog = byId("help");
  dialog.replaceChildren(...[
    el("h2", { id: "help-heading", tabindex: -1, autofocus: true }, `${dialog.dataset.heading}: ${title}`),
    goal ? el("p", { class: "lead" }, t("sheet.goal", { goal, unit: unit(goal, state) })) : null,
    el("ol", { class: "steps" }, steps.map((step) => el("li", {}, step))),
    course && !document.body.dataset.kiosk
      ? el("p", {}, el("a", { href: `${BASE}/learn/${course}` }, t("sheet.learn"))) : null,
    el("p", { class: "hint" }, source),
    el("details", { class: "key-sheet", open: keys },
      el("summary", {}, t("sheet.keys")),
      el("dl", {}, KEYS.map((name) =>
        [el("dt", {}, el("kbd", {}, t(`sheet.key_${name}`))), el("dd", {}, t(`sheet.key_${name}_does`))])),
      el("label", { class: "tick" },
        el("input", { type: "checkbox", checked: keysAct(), onchange: (event) => letKeysAct(event.target.checked) }),
        el("span", {}, t("sheet.keys_act")))),
    el("p", { class: "actions" },
      el("button", { type: "button", class: "main-action", onclick: () => dialog.close() }, t("page.close"))),
  ].filter(Boolean));
  dialog.showModal();
  if (keys) dialog.querySelector(".key-sheet").scrollIntoView();
}
