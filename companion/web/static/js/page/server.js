/** Talking to the table: commands with their refusals, the owner's PIN, notices. */

import { BASE, byId, el } from "./dom.js";
import { t, useTexts } from "./texts.js";

/** A refusal with its sentence; `status` is the HTTP status, or 0 if the table did not answer. */
export class Refused extends Error {
  constructor(sentence, status, body = {}) {
    super(sentence);
    this.status = status;
    this.body = body;
  }
}

/** Fetch and return the response; if it needs the owner's PIN, ask for the PIN and fetch again. */
export async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch {
    throw new Refused(t("errors.unreachable"), 0);
  }
  if (response.status === 401 && path !== `${BASE}/api/owner` && (await askPin())) return ask(path, options);
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    throw new Refused(body.error ?? t("errors.unexpected"), response.status, body);
  }
  return response;
}

const posted = (type, body, headers = {}) => ({ method: "POST", headers: { "Content-Type": type, ...headers }, body });

export const send = (path, type, body, headers) => ask(path, posted(type, body, headers));

/** What the server says at a path, which is JSON. */
export const fetched = async (path) => (await ask(path)).json();

/** Send JSON; returns the answer, which is JSON too. */
export const sendJson = async (path, body = {}) => (await send(path, "application/json", JSON.stringify(body))).json();

/** Do some work; what goes wrong shows in an element, or else as a notice, and the result is null. */
export async function attempt(work, wrong = /** @type {any} */ (null)) {
  if (wrong) wrong.textContent = "";
  try {
    return await work();
  } catch (error) {
    if (wrong) wrong.textContent = error.message;
    else notice(error.message);
    return null;
  }
}

/** Send the table a command; returns {ok, sentence, data} or throws Refused. */
export const command = (name, data = {}) => sendJson(`${BASE}/api/command/${name}`, data);

/** Send a command and show its refusal as a notice; returns null if refused. */
export async function tryCommand(name, data = {}) {
  try {
    return await command(name, data);
  } catch (error) {
    document.dispatchEvent(new CustomEvent("alea:refused"));
    notice(error.message);
    return null;
  }
}

/** The data of this name that came with the page, on the first call; then null. */
export function brought(name) {
  const node = byId(`brought-${name}`);
  node?.remove();
  return node && JSON.parse(node.textContent);
}

/**
 * Get the setup, which does not change: from the page, or from the server, at `path`. Afterwards the texts of its
 * scripts are ready.
 */
export async function loadSetup(path = `${BASE}/api/setup`) {
  const setup = brought("setup") ?? (await askForSetup(path));
  useTexts(setup.texts);
  return setup;
}

async function askForSetup(path) {
  const scripts = [...document.querySelectorAll("script[type=module][src]")].map(({ src }) =>
    new URL(src).pathname.split("/js/")[1]);
  const { lang } = document.documentElement; // the page's language, which its address may name
  return fetched(`${path}?language=${lang}&scripts=${scripts.join(",")}`);
}

/**
 * Show a sentence at the top for a while; a button closes it at once. `offer`: {text, act}, a button that does
 * something about it.
 */
export function notice(sentence, offer = /** @type {{ text: string, act: () => any } | null} */ (null)) {
  const box = byId("notices");
  const close = el("button", { type: "button", class: "quiet", "aria-label": t("page.dismiss_notice") }, "×");
  const button = offer && el("button", { type: "button", onclick: () => {
    shown.remove();
    offer.act();
  } }, offer.text);
  const shown = el("div", { class: "notice" }, el("p", {}, sentence), button, close);
  close.addEventListener("click", () => shown.remove());
  box.replaceChildren(shown); // one at a time: the newest is what the last act led to
  setTimeout(() => shown.remove(), 12000);
}

let asking = null;

/** Ask for the owner's PIN; true once it is right, false if cancelled. Several callers share one dialog. */
function askPin() {
  asking ??= new Promise((done) => {
    const dialog = byId("pin");
    const field = byId("pin-field");
    const wrong = byId("pin-wrong");
    const controller = new AbortController();
    const end = (right) => {
      controller.abort();
      field.value = "";
      dialog.close();
      asking = null;
      done(right);
    };
    const on = { signal: controller.signal };
    byId("pin-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await sendJson(`${BASE}/api/owner`, { pin: field.value });
        end(true);
      } catch (error) {
        wrong.textContent = error.message;
        field.select();
      }
    }, on);
    byId("pin-cancel").addEventListener("click", () => end(false), on);
    dialog.addEventListener("cancel", () => end(false), on);
    wrong.textContent = "";
    dialog.showModal();
    field.focus();
  });
  return asking;
}

/** Offer a match to the browser as a file. */
export const takeAway = (match) =>
  attempt(() => download(`${BASE}/api/matches/${match}.jsonl`, `match-${match}.jsonl`));

/** Offer a text to the browser as a file. */
export async function download(path, fallbackName) {
  const response = await ask(path);
  const named = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "");
  const url = URL.createObjectURL(await response.blob());
  const link = el("a", { href: url, download: named?.[1] ?? fallbackName });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
