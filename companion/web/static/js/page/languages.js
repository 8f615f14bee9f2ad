/** Choosing the page's language: a cookie of this browser keeps it, because it changes nothing at the table. */

import { BASE } from "./dom.js";

const YEAR = 365 * 24 * 3600;

for (const link of document.querySelectorAll("#languages a[hreflang]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    document.cookie = `alea_language=${link.hreflang}; path=${BASE}/; max-age=${YEAR}; samesite=lax`;
    const here = new URL(location.href);
    here.searchParams.delete("language");
    here.href === location.href ? location.reload() : location.replace(here);
  });
}

// A link that names a language: later pages use it too, unless this browser has chosen one.
const { lang } = document.documentElement;
if (new URLSearchParams(location.search).get("language") === lang && !document.cookie.includes("alea_language=")) {
  document.cookie = `alea_language=${lang}; path=${BASE}/; samesite=lax`;
}

// Menus of the page's head close where somebody taps elsewhere, or by Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  const menu = document.querySelector(".menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
