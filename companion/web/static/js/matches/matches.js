/** The list of matches: resume one, export one to a file, import one. */

import { BASE, byId } from "../page/dom.js";
import { opened } from "../page/opening.js";
import { command, notice, send, takeAway } from "../page/server.js";
import { t } from "../page/texts.js";

byId("matches").addEventListener("click", async (event) => {
  const id = Number(event.target.closest(".match")?.dataset.match);
  try {
    if (event.target.matches(".resume")) {
      await command("resume", { match: id });
      location.assign(`${BASE}/`);
    } else if (event.target.matches(".take-away")) {
      await takeAway(id);
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

await opened(() => (document.body.dataset.texts = t("page.brand")));
