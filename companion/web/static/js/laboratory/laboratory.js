/** The page of a running series: follows the laboratory and hands each state to every part of the page. */

import { showCamera } from "../camera/camera_badge.js";
import { byId, setText, svg } from "../page/dom.js";
import { showQuestion } from "./ask.js";
import { showDice } from "./die.js";
import { showPad, startPad } from "./pad.js";
import { showRows } from "./rows.js";
import { loadLaboratory } from "./server.js";
import { showSide, startSide } from "./side.js";
import { showAll, showThrows } from "./throws.js";
import { follow } from "../page/live.js";
import { notice } from "../page/server.js";
import { say, t } from "../page/texts.js";

/** A drawing for each sign, in a square of 24, so that nobody must distinguish red from green. */
const SIGNS = {
  throw: "M5 5h14v14H5ZM8.500 8.500h.01M15.500 15.500h.01M12 12h.01",
  wait: "M12 4a8 8 0 1 1-.01 0M12 8v4l3 2",
  ask: "M8 9a4 4 0 1 1 5.500 3.700c-1 .5-1.500 1.100-1.500 2.300M12 19v.5",
  hand: "M8 20v-7l-2-3 1.500-1L10 12V5h2v6V4h2v7V6h2v6V9h2v6l-2 5Z",
  blind: "M3 12c5-7 13-7 18 0-5 7-13 7-18 0M4 20 20 4",
  none: "M6 6h12v12H6Z",
  lost: "M5 5l14 14M19 5 5 19",
};
const LONG = 60; // characters; longer text is smaller

/** @type {LaboratoryPage} */
const page = { setup: null, state: /** @type {any} */ (null) };

/** @param {SeriesState} state */
function showStatus(state) {
  const lost = document.body.dataset.link === "lost";
  const sign = lost ? "lost" : state.sign in SIGNS ? state.sign : "none";
  const headline = lost ? t("status.lost") : say(state.sentence);
  const box = byId("status-sign");
  if (box.dataset.sign !== sign) {
    box.dataset.sign = sign;
    box.replaceChildren(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SIGNS[sign] })),
      t(`lab.sign_${sign}`));
  }
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

let waiting = null;

/** Draw only the newest state, at the next animation frame. @param {SeriesState} state */
function onState(state) {
  if (waiting === null) {
    const now = () => {
      const next = waiting;
      waiting = null;
      draw(next);
    };
    if (document.hidden) setTimeout(now, 0);
    else requestAnimationFrame(now);
  }
  waiting = state;
}

function onLink(link) {
  document.body.dataset.link = link;
  const badge = byId("link-badge");
  badge.hidden = link === "live";
  badge.textContent = link === "live" ? "" : t(`page.link_${link}`);
  if (link === "lost") notice(t("page.offline"));
  if (page.state) showStatus(page.state);
}

try {
  page.setup = await loadLaboratory();
  startPad(page);
  startSide(page);
  byId("all-throws").addEventListener("click", () => showAll(page));
  follow(onState, onLink);
} catch (error) {
  notice(error.message);
}
