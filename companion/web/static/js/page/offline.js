/** The page that a browser shows while the table is away: it looks for the table, and goes on where the visitor was. */

const EVERY = 3000; // ms

async function look() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (!answer.ok) return;
    if (location.pathname === "/offline") location.replace("/");
    else location.reload();
  } catch {
    // it is still away
  }
}

document.getElementById("again").addEventListener("click", look);
if (location.pathname !== "/offline") setInterval(look, EVERY); // it stands in for the page that was asked for
