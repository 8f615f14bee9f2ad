/** Which problems were solved on this device: kept in this browser, marked in the list, passed over by "next". */

import { remember, remembered } from "../page/dom.js";

const KEY = "alea.solved";

/** The numbers of the solved problems; none in a browser without storage. @returns {Set<any>} */
const solved = () => new Set((remembered(KEY) ?? "").split(" ").filter(Boolean));

const keep = (number) => remember(KEY, [...solved().add(number)].join(" "));

/** Mark the solved problems of the list and count them. */
function mark() {
  const done = solved();
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-problem]")]);
  const found = links.filter((link) => done.has(link.dataset.problem));
  for (const link of found) link.textContent = `${link.dataset.problem} \u2713`;
  for (const count of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-solved]"))) {
    const kind = count.dataset.solved;
    count.textContent = String(found.filter((link) => !kind || link.dataset.kind === kind).length);
  }
}

/** Lead to the next problem alike that nobody has solved here yet; where all are solved, to the next. */
function lead(link) {
  const done = solved();
  const numbers = link.dataset.following.split(" ").filter(Boolean);
  const next = numbers.find((number) => !done.has(number)) ?? numbers[0];
  if (next) link.href = link.href.replace(/[0-9]+$/, next);
}

const here = /** @type {HTMLElement | null} */ (document.querySelector(".lesson[data-number]"));
if (here) {
  lead(document.getElementById("lesson-play"));
  document.addEventListener("solved", () => keep(here.dataset.number));
} else {
  mark();
  window.addEventListener("pageshow", mark); // a page that comes back from the browser's memory
}
