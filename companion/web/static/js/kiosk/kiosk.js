/**
 * The kiosk's page: shows the current screen, offers no way out, and asks "still there?" before it returns to the
 * beginning.
 */

import { BASE, byId, el, setText } from "../page/dom.js";
import { keepDock } from "./dock.js";
import { showSouvenirs } from "./souvenir.js";
import { attempt, sendJson } from "../page/server.js";
import { say, t } from "../page/texts.js";

const LOOK = 1500; // ms between two requests for the current screen
const TELL = 20000; // ms between two messages to the server that somebody is there
const screen = document.body.dataset.kiosk;

/** What this page keeps from one step to the next. @type {Record<string, any>} */
const kept = {
  boot: null,
  rules: { idle: 90, countdown: 30 },
  touched: performance.now(), // the monotonic clock: the wall clock may jump
  reported: 0,
  mark: null,
  over: false,
  leaving: false,
};

/** Load the page again, but only right after an answer of the server, so that the browser never shows an error page. */
async function swap(next) {
  const response = await fetch(`${BASE}/`, { cache: "no-store" });
  if (!response.ok) return;
  if (next !== "table") forgetLanguage();
  location.replace(`${BASE}/`);
}

/** The next visitor begins in the kiosk's own language. */
const forgetLanguage = () => (document.cookie = `alea_language=; path=${BASE}/; max-age=0; samesite=lax`);

async function look() {
  try {
    const response = await fetch(`${BASE}/api/kiosk`, { cache: "no-store" });
    const now = await response.json();
    kept.rules = now;
    kept.boot ??= now.boot;
    // a page that waited waits until then: a tap would be lost
    if (now.screen !== screen || now.boot !== kept.boot) await swap(now.screen);
    else {
      document.body.removeAttribute("data-waiting");
      showClosing(now);
    }
  } catch {
    document.body.dataset.waiting = "yes";
    kept.touched = performance.now(); // while the table does not answer, nobody can do anything
  }
  setTimeout(look, LOOK);
}

const line = el("p", { id: "kiosk-closing", class: "kiosk-closing", role: "status", hidden: true });

function showClosing(now) {
  line.hidden = !now.closing;
  if (now.closing) setText(line, `${say(now.closing)} ${now.closing_words}`);
}

/** Block context menus, dragging, links to other pages, and the browser's own keys. */
function guard() {
  const text = (node) => node instanceof Element
    && node.matches("input:not([type=radio]):not([type=checkbox]), textarea");
  for (const name of ["contextmenu", "dragstart"])
    document.addEventListener(name, (event) => text(event.target) || event.preventDefault());
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const to = link?.href.replace(/#.*/, "");
    if (link && to !== `${location.origin}${BASE}/` && !to.startsWith(`${location.origin}${BASE}/learn/`))
      event.preventDefault();
  }, true);
  document.addEventListener("keydown", (event) => {
    const leaves = event.ctrlKey || event.altKey || event.metaKey
      || /^F\d+$|^Browser|^Launch|^ContextMenu$/.test(event.key);
    if (leaves || (event.key === "Backspace" && !text(event.target))) event.preventDefault();
  }, true);
}

function touch() {
  kept.touched = performance.now();
  if (kept.touched - kept.reported < TELL || screen !== "table") return;
  kept.reported = kept.touched;
  sendJson(`${BASE}/api/kiosk/here`).catch(() => {});
}

/** Count every change of the match as a touch, except while the program plays by itself. @param {State} state */
function follow(state) {
  const now = JSON.stringify([state.match?.id, state.match?.throws, state.log?.at(-1)?.event, state.ask?.id,
    state.watch?.ask?.id, state.camera?.hand]);
  kept.over = Boolean(state.outcome);
  if (kept.mark !== null && now !== kept.mark && !state.autoplay) touch();
  kept.mark = now;
  setText(byId("kiosk-leave"), t(kept.over ? "kiosk.leave_over" : "kiosk.leave"));
  byId("kiosk-leave").hidden = false;
  showSouvenirs(state);
}

async function leave() {
  if (kept.leaving) return;
  kept.leaving = true;
  await attempt(async () => { // the next tick tries again
    await sendJson(`${BASE}/api/kiosk/leave`);
    await swap("attract");
  });
  kept.leaving = false;
}

const dialog = (id, ...children) => {
  const made = el("dialog", { id, class: "sheet kiosk-sheet", role: "alertdialog", "aria-labelledby": `${id}-heading`,
    "aria-describedby": `${id}-text` }, ...children);
  document.body.append(made);
  return made;
};

/** The question with its countdown; any touch of the page answers it, because it shows that somebody is there. */
function makeStill() {
  const seconds = el("p", { class: "countdown", "aria-hidden": "true" });
  const text = el("p", { id: "kiosk-still-text" });
  // every ten seconds: a count every second would drown out everything else
  const heard = el("p", { class: "unseen", role: "status" });
  const still = dialog("kiosk-still",
    el("h2", { id: "kiosk-still-heading" }, t("kiosk.still_heading")), seconds, text, heard,
    el("p", { class: "actions" },
      el("button", { type: "button", class: "main-action large", onclick: () => stay() }, t("kiosk.still_yes")),
      el("button", { type: "button", class: "large", onclick: leave }, t("kiosk.still_no"))));
  const stay = () => {
    still.close();
    touch();
  };
  still.addEventListener("cancel", (event) => {
    event.preventDefault();
    stay();
  });
  return (left) => {
    if (left === null) {
      if (still.open) still.close();
      return;
    }
    const count = Math.max(0, Math.ceil(left));
    setText(seconds, String(count));
    setText(text, t(kept.over ? "kiosk.still_over" : "kiosk.still_text", { count }));
    if (still.open && count % 10 === 0) setText(heard, text.textContent);
    if (!still.open) {
      still.showModal();
      still.querySelector("button").focus();
    }
  };
}

function makeLeaving() {
  const asking = dialog("kiosk-leaving",
    el("h2", { id: "kiosk-leaving-heading" }, t("kiosk.leave_heading")),
    el("p", { id: "kiosk-leaving-text" }, t("kiosk.leave_text")),
    el("p", { class: "actions" },
      el("button", { type: "button", class: "large", onclick: () => asking.close() }, t("kiosk.leave_no")),
      el("button", { type: "button", class: "main-action large", onclick: leave }, t("kiosk.leave_yes"))));
  byId("kiosk-leave").addEventListener("click", () => (kept.over ? leave() : asking.showModal()));
}

function watchIdle() {
  const still = makeStill();
  for (const name of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(name, () => byId("kiosk-still").open || touch(), { capture: true, passive: true });
  }
  setInterval(() => {
    const idle = (performance.now() - kept.touched) / 1000;
    const left = kept.rules.idle + kept.rules.countdown - idle;
    if (idle < kept.rules.idle) still(null);
    else still(left);
    if (left <= 0) leave();
  }, 250);
}

document.querySelector("header.top").after(line);
guard();
/** A button for the full screen, where the browser was not started with it: somebody tries the kiosk on a laptop. */
function offerFullScreen() {
  const bar = document.querySelector(".kiosk-bar");
  if (!bar || !document.fullscreenEnabled || matchMedia("(display-mode: fullscreen)").matches) return;
  const button = el("button", { type: "button", class: "quiet",
    onclick: () => document.documentElement.requestFullscreen().catch(() => {}) }, t("page.full_screen"));
  bar.prepend(button);
  document.addEventListener("fullscreenchange", () => (button.hidden = Boolean(document.fullscreenElement)));
}

look();
document.addEventListener("alea:state", offerFullScreen, { once: true });
const learning = location.pathname.startsWith(`${BASE}/learn/`);
if (learning || (screen !== "table" && document.cookie.includes("alea_language="))) {
  setInterval(() => performance.now() - kept.touched > kept.rules.idle * 1000 && swap(screen), 1000);
  for (const name of ["pointerdown", "keydown"])
    document.addEventListener(name, touch, { capture: true, passive: true });
}
if (screen === "table" && !learning) {
  keepDock();
  const begin = (event) => {
    if (!byId("kiosk-still")) {
      makeLeaving();
      watchIdle();
    }
    follow(event.detail);
  };
  document.addEventListener("alea:state", begin);
}
