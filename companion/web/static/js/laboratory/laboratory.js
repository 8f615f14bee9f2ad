/** The page of a running series: follows the laboratory and hands each state to every part of the page. */

import { showCamera } from "../camera/camera_badge.js";
import { byId, setText } from "../page/dom.js";
import { showQuestion } from "./ask.js";
import { showDice } from "./die.js";
import { showPad, startPad } from "./pad.js";
import { showRows } from "./rows.js";
import { loadLaboratory } from "./server.js";
import { showSide, startSide } from "./side.js";
import { showAll, showThrows } from "./throws.js";
import { follow, newestOnly, showLink } from "../page/live.js";
import { attempt } from "../page/server.js";
import { SIGNS, drawSign } from "../page/signs.js";
import { say, t } from "../page/texts.js";

const OWN_SIGNS = {
  ...SIGNS,
  throw: "M5 5h14v14H5ZM8.500 8.500h.01M15.500 15.500h.01M12 12h.01",
  wait: "M12 4a8 8 0 1 1-.01 0M12 8v4l3 2",
  hand: "M8 20v-7l-2-3 1.500-1L10 12V5h2v6V4h2v7V6h2v6V9h2v6l-2 5Z",
};
const LONG = 60; // characters; longer text is smaller

/** @type {LaboratoryPage} */
const page = { setup: null, state: /** @type {any} */ (null) };

/** @param {SeriesState} state */
function showStatus(state) {
  const lost = document.body.dataset.link === "lost";
  const sign = lost ? "lost" : state.sign in OWN_SIGNS ? state.sign : "none";
  const headline = lost ? t("status.lost") : say(state.sentence);
  drawSign(byId("status-sign"), OWN_SIGNS, sign, t(`lab.sign_${sign}`));
  byId("status").dataset.sign = sign;
  setText(byId("headline"), headline);
  byId("headline").classList.toggle("long", headline.length > LONG);
  const series = state.series;
  const thrown = series ? series.dice.reduce((all, die) => all + die.throws + die.unread, 0) : 0;
  setText(byId("subline"), lost ? t("status.lost_hint")
    : series ? (series.pace ? t("lab.subline_pace", { count: thrown, pace: Number(series.pace.toPrecision(2)) })
      : t("lab.subline", { count: thrown })) : "");
  setText(byId("match-name"), series?.title ?? "");
  showCamera(byId("camera-badge"), state.camera);
}

/** @param {any} state */
function draw(state) {
  page.state = state;
  document.body.toggleAttribute("data-no-series", !state.series);
  byId("lab-welcome").hidden = Boolean(state.series);
  showStatus(state);
  showQuestion(state, page);
  showRows(state, page);
  showPad(state, page);
  showDice(state);
  showThrows(state, page);
  showSide(state, page);
  document.body.dataset.ready = state.version ?? "yes";
  document.dispatchEvent(new CustomEvent("alea:state", { detail: state }));
}

function onLink(link) {
  showLink(link);
  if (page.state) showStatus(page.state);
}

await attempt(async () => {
  page.setup = await loadLaboratory();
  startPad(page);
  startSide(page);
  byId("all-throws").addEventListener("click", () => showAll(page));
  follow(newestOnly(draw), onLink);
});
