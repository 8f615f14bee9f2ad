/**
 * The page on which one chooses the table's cameras: a tap uses one, then it shows what Alea reads, then one begins.
 */

import { BASE, byId, el, setText } from "../page/dom.js";
import { follow } from "../page/live.js";
import { attempt, command, loadSetup, sendJson } from "../page/server.js";
import { readable, t } from "../page/texts.js";
import { post, rememberSending, sends } from "./own.js";
import { PushedCamera } from "./pushing.js";
import { showSeen } from "./seen.js";
import { invited, startTelephone } from "./telephone.js";
import { showTiles } from "./tiles.js";

const NO_CAMERA = { camera: null, board_camera: null, board: null };
const tiles = [...document.querySelectorAll(".camera-tile[data-camera]")];
let forBoard = false; // whether the next tap chooses a camera for the board alone
let choosing = !byId("choose-camera").hidden;

await loadSetup();
const setup = { state: /** @type {any} */ (null) };
const own = new PushedCamera({
  post,
  view: byId("camera-view"),
  tell: report,
  note,
  started: (holds) => sending(true, holds),
  stopped: () => sending(false),
  other: () => (byId("take-over").hidden = false),
  lost: () => rememberSending(false),
});
startTelephone();
showTiles(() => choosing);

function report(key, parts) {
  const words = key ? t(key, parts) : "";
  setText(document.querySelector("[data-own] .tile-said"), words);
  if (!choosing) setText(byId("camera-said"), key.startsWith("camera.sen") ? "" : words);
}

function note(name, key) {
  byId("camera-notes").querySelector(`[data-note="${name}"]`)?.remove();
  if (key) byId("camera-notes").append(el("li", { "data-note": name }, t(key)));
}

/** This device sends what it sees, or stops; it is remembered, so that the table's other pages go on with it. */
function sending(on, holds = false) {
  rememberSending(on);
  byId("camera-start").hidden = on || !byId("seen").dataset.pushed;
  byId("hold").hidden = !holds;
  if (!on) byId("take-over").hidden = true;
}

/** Show the cameras to choose from, or what the chosen one sees. */
function show(choose) {
  choosing = choose;
  byId("choose-camera").hidden = !choose;
  byId("seen").hidden = choose;
  if (choose) byId("telephone").hidden = true;
  (choose ? byId("choose-heading") : byId("begin")).scrollIntoView({ block: "nearest" });
}

async function use(changes) {
  byId("choose-camera").setAttribute("aria-busy", "true");
  const done = await attempt(async () => {
    await sendJson(`${BASE}/api/cameras/use`, changes);
    show(false);
    byId("begin").focus();
    return true;
  }, byId("choose-wrong"));
  byId("choose-camera").removeAttribute("aria-busy");
  return done;
}

async function choose(tile) {
  const { camera } = tile.dataset;
  const changes = forBoard ? { board_camera: camera } : { camera };
  if (camera === "push" && !window.isSecureContext)
    return onEncryptedPage(forBoard ? { board_camera: "phone" } : { camera: "phone" });
  if (camera === "push" && !(await own.start())) return;
  if (camera !== "push") stopOwn();
  const done = await use(changes);
  if (camera === "push" && !done) own.stop();
  byId("telephone").hidden = camera !== "phone" || !done;
  if (camera === "phone" && done) await invited();
}

/** A browser gives its camera to encrypted pages alone: go on there. */
async function onEncryptedPage(changes) {
  const address = await invited();
  if (address && (await use(changes))) location.assign(address);
}

function stopOwn() {
  if (sends()) own.stop();
}

/**
 * Keep the camera as the table's own, and begin: the game that one came for, or the form that knows what lies there.
 */
async function begin() {
  byId("begin").disabled = true;
  await attempt(async () => {
    await sendJson(`${BASE}/api/cameras/keep`);
    const { game, back } = byId("seen").dataset;
    if (back) return location.assign(`${BASE}/`);
    if (!game) return location.assign(`${BASE}/new?dice=${encodeURIComponent(byId("dice-set").value)}`);
    const men_by = setup.state?.board_camera?.includes(game) ? { men_by: "camera" } : {};
    await command("new_match", { game, players: ["", ""], options: {}, dice_by: "camera", ...men_by });
    return location.assign(`${BASE}/`);
  });
  byId("begin").disabled = false;
}

for (const tile of tiles) {
  tile.disabled = false;
  tile.addEventListener("click", () => choose(tile));
}
byId("address-form").addEventListener("submit", (event) => {
  event.preventDefault();
  stopOwn();
  use(forBoard ? { board_camera: byId("address").value } : { camera: byId("address").value });
});
byId("other-camera").addEventListener("click", () => {
  forBoard = false;
  show(true);
});
byId("board-camera").addEventListener("click", () => {
  forBoard = true;
  show(true);
});
byId("no-camera").addEventListener("click", async () => {
  stopOwn();
  if (await use(NO_CAMERA)) show(true);
});
byId("sees-board").addEventListener("change", ({ target }) => use({ board: target.checked ? "auto" : null }));
byId("begin").addEventListener("click", begin);
byId("begin").disabled = false;
byId("camera-start").addEventListener("click", () => own.start());
byId("camera-start").hidden = sends() || !byId("seen").dataset.pushed;
byId("hold").addEventListener("click", () => own.hold());
byId("take-over").addEventListener("click", () => {
  byId("take-over").hidden = true;
  own.takeOver();
});
if (sends() && byId("seen").dataset.pushed) own.start();
else if (choosing) own.look();
follow((state) => {
  setup.state = readable(state);
  showSeen(setup.state);
}, () => {});
document.body.dataset.ready = "yes";
