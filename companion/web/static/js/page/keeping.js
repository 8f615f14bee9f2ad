/**
 * Have the browser keep the page that it shows while the table is away; browsers do so on this computer or over https.
 */

import { BASE } from "./dom.js";

if ("serviceWorker" in navigator) {
  window.addEventListener("load", () => {
    // without it the page works as before
    navigator.serviceWorker.register(`${BASE}/service-worker.js`).catch(() => {});
  });
}
