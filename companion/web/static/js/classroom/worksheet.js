/** The worksheet of a match: a button that prints it, and its date in the reader's own way. */

import { byId } from "../page/dom.js";
import { loadSetup, notice } from "../page/server.js";
import { dateTime } from "../page/texts.js";

byId("print")?.addEventListener("click", () => window.print());

try {
  await loadSetup();
  for (const time of document.querySelectorAll("time[data-time]"))
    time.textContent = dateTime(new Date(Number(time.dataset.time) * 1000));
  document.body.dataset.ready = "yes";
} catch (error) {
  notice(error.message);
}
