/** The page that a browser shows while the table is away: it looks for the table, and goes on where the visitor was. */

const EVERY = 3000; // ms
const BASE = new URL("../../..", import.meta.url).pathname.slice(0, -1); // alone, because a browser keeps this script

async function look() {
  try {
    const answer = await fetch(`${BASE}/healthz`, { cache: "no-store" });
    if (!answer.ok) return;
    if (location.pathname === `${BASE}/offline`) location.replace(`${BASE}/`);
    else location.reload();
  } catch {
    // it is still away
  }
}

document.getElementById("again")?.addEventListener("click", look);
if (location.pathname !== `${BASE}/offline`) setInterval(look, EVERY); // it stands in for the page that was asked for
