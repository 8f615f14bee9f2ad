/** Playing by keys: the focus stays with what is to be done, and single keys throw, choose, take back and explain. */

import { byId, remember, remembered } from "../page/dom.js";
import { open } from "./seldom.js";

const KEY = "alea.keys";
/** What is to be done, the most urgent first: buttons that Space presses, and places where other keys act. */
const BUTTONS = ["#ask .main-answer", ".men-ask .main-answer", "#controls .main-action"];
const FACES = "#tap input[data-die]";
const SITES = [".men-board :is(.origin, .take) .pick[tabindex='0']", ".men-board .pick[tabindex='0']"];
/** The choices that digits make, in their order: of the first of these that shows any. */
const CHOICES = ["#ask .ask-answers button", ".men-ask .ask-answers button", ".men-ways button", ".claim-told button",
  ".claim-kinds button", ".choice-buttons button"];
const OWN_KEYS = "a, button, input, select, textarea, summary, [role=button], [tabindex='0']";
const WRITING = "input:not([type=radio], [type=checkbox]), select, textarea";

const shown = (selector) => [...document.querySelectorAll(selector)].filter((node) =>
  !node.disabled && node.checkVisibility());
const first = (...selectors) => selectors.map((selector) => shown(selector)[0]).find(Boolean);

let keyed = false; // whether somebody plays by keys: a pointer needs no mark where it is not

/** Give the focus to what is to be done now, if the last button went away under it or nothing has it yet. */
export function keepFocus() {
  const at = document.activeElement;
  if ((at !== document.body && at !== byId("main")) || document.querySelector("dialog[open]")) return;
  (first(...BUTTONS) ?? (keyed ? first(FACES, ...SITES, "#choices") ?? byId("main") : null))?.focus(
    { preventScroll: true });
}

/** Whether single keys act: who dictates to the computer may switch them off. */
export const keysAct = () => remembered(KEY) !== "off";

export const letKeysAct = (on) => remember(KEY, on ? "on" : "off");

/** @param {TablePage} page */
export function startKeys(page) {
  byId("help-open").addEventListener("click", () => open("openHelp", page));
  for (const name of ["keydown", "pointerdown"])
    document.addEventListener(name, () => (keyed = name === "keydown"), true);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (!page.state?.match || event.target.closest(WRITING) || document.querySelector("dialog[open]")) return;
    const act = actOf(event, page);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** What a key does now, if anything. @param {TablePage} page */
function actOf(event, page) {
  const { key, target } = event;
  const free = !target.closest(OWN_KEYS);
  if (key === " ") return free && pressing(first(...BUTTONS));
  if (key.startsWith("Arrow")) return free && first(...SITES) && (() => first(...SITES).focus());
  return keysAct() && acting(event, page);
}

const pressing = (button) => button && (() => button.click());

function acting({ key }, page) {
  if (key === "?") return () => open("openHelp", page, { keys: true });
  if (key.toLowerCase() === "u") return pressing(shown("[data-focus=undo]")[0]);
  if (!/^[1-9]$/.test(key)) return null;
  const choices = CHOICES.map(shown).find((buttons) => buttons.length);
  const face = first(FACES);
  return choices ? pressing(choices[Number(key) - 1])
    : face && (() => face.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
}
