/** How a page begins whose server has drawn most of it. */

import { loadSetup, notice } from "./server.js";
import { dateTime } from "./texts.js";

/** Load the texts, do `begin(setup)`, and write every time in the reader's own way; a fault shows as a notice. */
export async function opened(begin = /** @type {(setup: any) => any} */ (() => {}), load = loadSetup) {
  try {
    await begin(await load());
    for (const time of document.querySelectorAll("time[data-time]")) {
      const stamp = time.dataset.time;
      const date = new Date(Number.isNaN(Number(stamp)) ? stamp : Number(stamp) * 1000);
      if (!Number.isNaN(date.getTime())) [time.dateTime, time.textContent] = [date.toISOString(), dateTime(date)];
    }
    document.body.dataset.ready = "yes";
  } catch (error) {
    notice(error.message);
  }
}
