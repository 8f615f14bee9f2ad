/** The page of the table: follows the state and passes it to every region. */

import { showBoard, startBoard } from "./virtues.js";
import { showControls, stopDemo } from "./controls.js";
import { showDice } from "./dice_now.js";
import { byId, setText } from "../page/dom.js";
import { keepFocus, startKeys } from "./keys.js";
import { follow, newestOnly, showLink } from "../page/live.js";
import { mayDecide, offered } from "../page/part.js";
import { showLog } from "./log.js";
import { showPlayers, showProgress } from "./players.js";
import { complement, complete, open, showSeldom } from "./seldom.js";
import { brought, loadSetup, notice } from "../page/server.js";
import { showStatus } from "./status.js";
import { showTap } from "./tap.js";
import { readable, say } from "../page/texts.js";
import { startView } from "./view.js";

/** @type {TablePage} */
const page = {
  setup: null,
  sent: /** @type {any} */ (null), // the state as the table sent it
  state: /** @type {any} */ (null), // what of it this visitor may use
  names: "", // of the players, as they were drawn
  drawn: false, // whether a state has been drawn
  opened: new Set(), // players whose holdings are unfolded
  virtues: new Map(),
  virtue: (lot) => page.virtues.get(lot),
  name: (number) => page.state?.match?.players.find((player) => player.number === number)?.name ?? "",
  heldBy: (number) =>
    [...page.virtues.values()].filter((virtue) => virtue.owner === number).sort((one, other) =>
      (one.throw ?? 0) - (other.throw ?? 0)),
  redraw: () => page.sent && draw(page.sent),
};

function draw(sent) {
  const state = readable(offered(sent));
  const names = state.match?.players.map(({ name }) => name).join("\n");
  // somebody is called otherwise now
  if (names !== page.names) for (const node of document.querySelectorAll("[data-key]")) delete node.dataset.key;
  Object.assign(page, { sent, state, names });
  page.virtues = new Map((state.virtues ?? []).map((virtue) => [virtue.id, virtue]));
  document.body.toggleAttribute("data-no-match", !state.match);
  if (state.match) byId("start")?.remove();
  showStatus(state);
  showDice(state, page);
  showSeldom(state, page);
  showTap(state, page);
  showDrawn(state);
  showControls(state, page);
  showBoard(state, page);
  showPlayers(state, page);
  showProgress(state);
  if (byId("seats-fold")) byId("seats-fold").hidden = !state.match || state.match.demo || state.outcome !== null
    || !mayDecide();
  byId("demo").hidden = !state.match?.demo;
  showLog(state, page);
  tellOfRules(state.match);
  correctWanted(state);
  keepFocus();
  page.drawn = true;
  document.body.dataset.ready = String(state.version);
  document.dispatchEvent(new CustomEvent("alea:state",
    { detail: state })); // for scripts beside the page, such as a kiosk's
}

/** The board in plain text, for games without a drawing on the page. @param {State} state */
function showDrawn(state) {
  const drawn = state.drawn ?? null;
  const board = byId("drawn");
  document.body.classList.toggle("drawn-board", drawn !== null);
  document.body.classList.toggle("has-ludix", Boolean(state.ludix));
  board.hidden = drawn === null;
  setText(board, drawn ?? "");
  const columns = Math.max(24, ...(drawn ?? "").split("\n").map((line) => line.length));
  board.style.setProperty("--columns", columns); // makes the widest line fit
}

/** A throw that the owner's page wants corrected: ?correct=EVENT&die=NAME&face=TEXT. */
let wanted = new URLSearchParams(location.search);

/** Open the correction that the address asks for, once. @param {State} state */
function correctWanted(state) {
  const event = Number(wanted.get("correct"));
  if (!event || !state.match) return;
  const entry = state.log.find((line) => line.event === event);
  const die = wanted.get("die");
  const claim = die ? { faces: { [die]: wanted.get("face") } } : null;
  wanted = new URLSearchParams();
  history.replaceState(null, "", location.pathname);
  if (entry) open("openCorrection", entry, page, { claim });
  else open("openDispute", event, state.match.id, page); // the log shows the newest events only
}

let toldOf = null;

/** Show once per match that it began under other rules. */
function tellOfRules(match) {
  if (match?.rules_changed && toldOf !== match.id) notice(say(match.rules_changed));
  toldOf = match?.id ?? null;
}

/** Load the sentences of another family of games when a match needs them; true if they were loaded now. */
async function otherFamily({ match }) {
  const family = (match?.game ?? "").split("/")[0].replaceAll("-", "_");
  if (!match || family === page.setup.family) return false;
  page.setup = await loadSetup().catch(() => page.setup);
  page.setup.family = family; // even if the table did not answer: then this match shows in English
  return true;
}

/** Load what a state still needs to show; true if its sentences were loaded now. @param {State} state */
async function prepared(state) {
  if (!complete(state, page)) await complement(state, page);
  return otherFamily(state);
}

/** Draw the state that the page came with. @param {State} state */
async function begin(state) {
  await prepared(state);
  draw(state);
  requestAnimationFrame(keepFocus); // nothing takes the focus before the first frame
}

const onState = newestOnly(draw, prepared);

function onLink(link) {
  const lost = [link, document.body.dataset.link].includes("lost");
  showLink(link);
  if (lost) page.redraw();
}

/** Whether a state is already drawn: the stream begins with the one that the page came with. @param {State} state */
const known = (state) => state.version === page.sent?.version && JSON.stringify(state) === JSON.stringify(page.sent);

try {
  page.setup = await loadSetup();
  startBoard(page);
  startView(() => page.sent && onState(page.sent));
  startKeys(page);
  byId("stop-demo").addEventListener("click", stopDemo);
  document.addEventListener("alea:part", page.redraw);
  await begin(brought("state")).finally(() => follow((state) => known(state) || onState(state), onLink));
} catch (error) {
  document.body.dataset.ready ??= "no"; // what the server drew shows at least
  notice(error.message);
}
