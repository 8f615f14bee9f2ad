/** Have the browser keep the page that it shows while the table is away; browsers do so on this computer or over https. */

if ("serviceWorker" in navigator) {
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("/service-worker.js").catch(() => {}); // without it the page works as before
  });
}
