/** The list of matches: resume one, export one to a file, import one. */

import { BASE, byId } from "../page/dom.js";
import { command, download, loadSetup, notice, send } from "../page/server.js";
import { dateTime, t } from "../page/texts.js";

byId("matches").addEventListener("click", async (event) => {
  const id = Number(event.target.closest(".match")?.dataset.match);
  try {
    if (event.target.matches(".resume")) {
      await command("resume", { match: id });
      location.assign(`${BASE}/`);
    } else if (event.target.matches(".take-away")) {
      await download(`${BASE}/api/matches/${id}.jsonl`, `match-${id}.jsonl`);
    }
  } catch (error) {
    notice(error.message);
  }
});

byId("import-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("import-wrong").textContent = "";
  try {
    await send(`${BASE}/api/matches`, "application/x-ndjson", byId("import-file").files[0]);
    location.reload();
  } catch (error) {
    byId("import-wrong").textContent = error.message;
  }
});

try {
  await loadSetup();
for (const time of document.querySelectorAll("time[data-time]")) {
  const stamp = time.dataset.time;
  const date = new Date(Number.isNaN(Number(stamp)) ? stamp : Number(stamp) * 1000);
  time.dateTime = date.toISOString();
  time.textContent = dateTime(date);
}
  document.body.dataset.ready = "yes";
  document.body.dataset.texts = t("page.brand");
} catch (error) {
  notice(error.message);
}
