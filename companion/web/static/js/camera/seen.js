/** What the chosen camera sees, large: the dice outlined and named as they are read, and advice that one can follow. */

import { showOutlines } from "../board/outlines.js";
import { BASE, byId, el, rebuild, setText } from "../page/dom.js";
import { sendJson } from "../page/server.js";
import { listed, say, t } from "../page/texts.js";

const EVERY = 500; // ms between two pictures while the table moves
const ADVISE = 6000; // ms between two pieces of advice: each keeps the nets busy for a second

let now = null; // the newest state
let advised = { at: 0, picture: null };
let guesses = true; // until a person says which dice lie there
const GUESS = 10000; // ms between two guesses
let guessed = 0;

/** Show a new state; the picture follows by itself. @param {State} state */
export function showSeen(state) {
  now = state;
  const { camera, reading } = state;
  const live = camera.status === "LIVE";
  if (camera.source) setText(byId("camera-said"), live && !camera.warning ? "" : say(camera.sentence));
  const dice = live ? (reading?.dice ?? []).filter(({ status }) => status !== "ignored") : [];
  const faces = dice.map(({ status, face }) => (status === "read" ? face : "?"));
  setText(byId("read-said"), !live || !state.dice_camera ? ""
    : faces.length ? t("cameras.read", { faces: listed(faces) })
      : t(camera.hand ? "cameras.hand" : "cameras.throw_once"));
  showOutlines(state);
}

async function picture() {
  const image = byId("table-picture");
  if (byId("seen").hidden || document.hidden
    || !(now?.dice_camera ? now.camera.picture : now?.camera.status === "LIVE")) return;
  const response = await fetch(`${BASE}/api/picture/table.jpg`, { cache: "no-store" }).catch(() => null);
  if (response?.status !== 200) return; // 204: the camera has just stopped
  const old = image.src;
  image.src = URL.createObjectURL(await response.blob());
  await image.decode().catch(() => {});
  URL.revokeObjectURL(old);
  image.hidden = false;
  showOutlines(now);
}

/** Guess which dice lie there, as long as not all are read as those that were chosen. */
async function guess() {
  if (!guesses || byId("seen").hidden || now?.camera.status !== "LIVE" || !now.reading?.dice.length
    || now.match) return;
  if (now.reading.status === "read" || Date.now() - guessed < GUESS) return;
  guessed = Date.now();
  const { dice } = (await sendJson(`${BASE}/api/cameras/guess`).catch(() => null)) ?? {};
  if (dice && guesses) byId("dice-set").value = dice;
}

async function advise() {
  if (byId("seen").hidden || document.hidden || !now?.dice_camera || now.camera.status !== "LIVE"
    || !now.reading) return;
  if (Date.now() - advised.at < ADVISE || advised.picture === now.camera.picture) return;
  advised = { at: Date.now(), picture: now.camera.picture };
  const judged = await sendJson(`${BASE}/api/owner/advise`, { dice: byId("dice-set").value }).catch(() => null);
  const advice = byId("advice");
  if (judged) rebuild(advice, judged.advice,
    () => judged.advice.map((one) => el("li", { class: judged.good ? "good" : "" }, say(one))));
}

byId("dice-set").addEventListener("change", async ({ target }) => {
  [advised.picture, guesses] = [null, false];
  byId("advice").replaceChildren();
  await sendJson(`${BASE}/api/cameras/dice`, { dice: target.value }).catch(() => {});
});

guesses = !byId("seen").dataset.game;
(async () => {
  for (;;) {
    await picture();
    await guess();
    await advise();
    await new Promise((go) => setTimeout(go, EVERY));
  }
})();
