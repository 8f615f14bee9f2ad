/** The owner's page of the kiosk: its use by day, and the faults of the curator's files. */

import { BASE, byId, el } from "../page/dom.js";
import { opened } from "../page/opening.js";
import { fetched } from "../page/server.js";
import { number, say, t } from "../page/texts.js";

const COLUMNS = ["begun", "ended", "left", "minutes"];
const counted = (group) =>
  Object.entries(group).sort(([, one], [, other]) => other - one).map(([name, count]) =>
    `${name} ${number(count)}`).join(", ");

function table(days) {
  const names = Object.keys(days).sort().reverse();
  if (names.length === 0) return el("p", {}, t("kiosk.owner.none"));
  return el("table", {},
    el("thead", {}, el("tr", {},
      ["day", ...COLUMNS, "games", "languages"].map((name) => el("th", { scope: "col" }, t(`kiosk.owner.${name}`))))),
    el("tbody", {}, names.map((name) => el("tr", {},
      el("th", { scope: "row" }, name === "unknown" ? t("kiosk.owner.unknown") : name),
      COLUMNS.map((column) => el("td", {}, number(Math.round(days[name][column])))),
      el("td", {}, counted(days[name].games)), el("td", {}, counted(days[name].languages))))));
}

await opened(async () => {
  const answer = await fetched(`${BASE}/api/kiosk/statistics`);
  byId("kiosk-statistics").replaceChildren(table(answer.days));
  const faults = answer.health.faults.map((fault) => el("li", {}, say(fault)));
  byId("kiosk-faults").replaceChildren(...(faults.length ? [el("ul", { class: "effects" }, faults),
    el("p", { class: "hint" }, t("kiosk.owner.kept"))] : [el("p", {}, t("kiosk.owner.no_faults"))]),
    ...(answer.health.clock_known ? [] : [el("p", { class: "hint" }, t("kiosk.owner.clock_unknown"))]));
});
