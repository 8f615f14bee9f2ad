/** The list of matches: resume one, export one to a file, import one. */

import { BASE, byId } from "../page/dom.js";
import { opened } from "../page/opening.js";
import { attempt, command, send, takeAway } from "../page/server.js";
import { t } from "../page/texts.js";

byId("matches").addEventListener("click", (event) => attempt(async () => {
  const id = Number(event.target.closest(".match")?.dataset.match);
  if (event.target.matches(".resume")) {
    await command("resume", { match: id });
    location.assign(`${BASE}/`);
  } else if (event.target.matches(".take-away")) {
    await takeAway(id);
  }
}));

byId("import-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  await attempt(async () => {
    await send(`${BASE}/api/matches`, "application/x-ndjson", byId("import-file").files[0]);
    location.reload();
  }, byId("import-wrong"));
});

await opened(() => (document.body.dataset.texts = t("page.brand")));
