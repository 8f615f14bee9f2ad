/** The organiser's page: whenever the hall changes, the part that shows it is fetched anew. */

import { byId, setText } from "../page/dom.js";
import { follow } from "../page/live.js";

const GAP = 700; // ms between two fetches: twelve tables that play change the hall several times a second

const part = byId("hall-part");
let shown = Number(part.dataset.version);
let wanted = shown;
let fetching = false;

/** Say aloud what has changed; a part marks the one line that is worth it. */
function say() {
  const line = part.querySelector("[data-say]");
  if (line) setText(byId("hall-said"), line.textContent);
}

async function refresh() {
  if (fetching || wanted === shown) return;
  fetching = true;
  const version = wanted;
  try {
    const response = await fetch(`/part/${part.dataset.part}${location.search}`, { cache: "no-store" });
    if (response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      part.replaceChildren(...page.body.childNodes);
      shown = version;
      document.body.dataset.shown = version;
      say();
    }
  } catch {
    // the stream says that the server is away
  }
  setTimeout(() => {
    fetching = false;
    refresh();
  }, GAP);
}

function take({ version }) {
  wanted = version;
  document.body.dataset.ready = version;
  refresh();
}

follow(take, (link) => (byId("hall-lost").hidden = link !== "lost"));
