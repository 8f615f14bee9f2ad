/** The start page: a tap begins a match at once, or goes back to the demonstration. */

import { BASE } from "../page/dom.js";
import { opened } from "../page/opening.js";
import { tryCommand } from "../page/server.js";

/** Do what a link stands for without the form that it leads to; without this script the form opens. */
async function follow(link) {
  const { begin, resume } = link.dataset;
  const done = begin ? await tryCommand("new_match", JSON.parse(begin))
    : await tryCommand("resume", { match: Number(resume) });
  if (done) location.assign(`${BASE}/`);
}

let busy = false; // a second tap must not begin a second match

for (const link of document.querySelectorAll("#start :is([data-begin], [data-resume])")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    await follow(link).finally(() => (busy = false));
  });
}

if (document.body.classList.contains("at-start")) await opened();
