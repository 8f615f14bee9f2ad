/**
 * What the head of every page does: choosing its language and its look, which cookies of this browser keep because they
 * change nothing at the table; and having the browser keep the page that it shows while the table is away.
 */

import { BASE } from "./dom.js";

const YEAR = 365 * 24 * 3600;
const root = document.documentElement;

const keep = (name, value, age = `; max-age=${YEAR}`) =>
  (document.cookie = `${name}=${value}; path=${BASE}/${age}; samesite=lax`);

for (const link of document.querySelectorAll("#languages a[hreflang]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    keep("alea_language", link.hreflang);
    const here = new URL(location.href);
    here.searchParams.delete("language");
    here.href === location.href ? location.reload() : location.replace(here);
  });
}

// A link that names a language: later pages use it too, unless this browser has chosen one.
if (new URLSearchParams(location.search).get("language") === root.lang && !document.cookie.includes("alea_language="))
  keep("alea_language", root.lang, "");

function keepLook() {
  keep("alea_look", [root.dataset.theme ?? "", root.dataset.type ?? ""].join("."));
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
    keepLook();
  });
}

// The menus close where somebody taps elsewhere, or by Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  const menu = document.querySelector(".menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Browsers keep a page on this computer or over https; a kiosk's page names no app to keep.
if ("serviceWorker" in navigator && document.querySelector("link[rel=manifest]")) {
  window.addEventListener("load", () => {
    // without it the page works as before
    navigator.serviceWorker.register(`${BASE}/service-worker.js`).catch(() => {});
  });
}
