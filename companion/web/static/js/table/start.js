/** The start page: a tap begins a match at once, or goes back to the demonstration. */

import { BASE } from "../page/dom.js";
import { loadSetup, notice, tryCommand } from "../page/server.js";

/** Do what a link stands for without the form that it leads to; without this script the form opens. */
async function begin(link) {
  const { game, programs, resume } = link.dataset;
  const done = game
    ? await tryCommand("new_match", { game, players: ["", ""], programs: JSON.parse(programs), options: {}, dice_by: "program" })
    : await tryCommand("resume", { match: Number(resume) });
  if (done) location.assign(`${BASE}/`);
}

let busy = false; // a second tap must not begin a second match

for (const link of document.querySelectorAll("#start :is([data-game], [data-resume])")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    await begin(link).finally(() => (busy = false));
  });
}

if (document.body.classList.contains("at-start")) {
  try {
    await loadSetup();
    document.body.dataset.ready = "yes";
  } catch (error) {
    notice(error.message);
  }
}
