/** This device as the table's camera: a few JPEG pictures a second, one on its way at a time. */

import { byId } from "./dom.js";
import { loadSetup, send } from "./server.js";
import { number, t } from "./texts.js";

const PERIOD = 220; // ms between two pictures: 4 to 5 a second, fewer when the network is slow
const QUALITY = 0.85;
const WIDEST = 1920;
const RETRY = 2000; // ms after the table did not answer

const view = byId("camera-view");
const canvas = document.createElement("canvas");
let stream = null;
let lock = null;
let sent = [];
let count = 0;

const tell = (key, parts) => (byId("camera-status").textContent = t(`camera.${key}`, parts));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function start() {
  if (!window.isSecureContext) return tell("insecure");
  if (!navigator.mediaDevices?.getUserMedia) return tell("unsupported");
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1440 } },
    });
  } catch (error) {
    const known = { NotAllowedError: "denied", NotFoundError: "none_found", OverconstrainedError: "none_found", NotReadableError: "busy" };
    return tell(known[error.name] ?? "none_found");
  }
  view.srcObject = stream;
  view.hidden = false;
  await view.play();
  byId("camera-start").hidden = true;
  byId("camera-stop").hidden = false;
  tell("sent_none");
  await stayAwake();
  return push();
}

function stop() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  view.srcObject = null;
  view.hidden = true;
  byId("camera-start").hidden = false;
  byId("camera-stop").hidden = true;
  byId("camera-status").textContent = "";
  byId("camera-awake").textContent = "";
  lock?.release().catch(() => {});
  lock = null;
}

async function stayAwake() {
  try {
    lock = await navigator.wakeLock.request("screen");
    byId("camera-awake").textContent = t("camera.awake");
  } catch {
    byId("camera-awake").textContent = t("camera.not_awake");
  }
}

async function push() {
  while (stream) {
    const begun = Date.now();
    try {
      await send("/api/frames", "image/jpeg", await picture());
      count += 1;
      sent = [...sent.filter((time) => time > begun - 5000), begun];
      tell("sending", { count, rate: number(sent.length / 5, 1) });
      await pause(Math.max(20, PERIOD - (Date.now() - begun)));
    } catch (error) {
      if (!stream) return;
      if (error.status === 0) tell("lost");
      else tell("refused", { reason: error.message });
      await pause(RETRY);
    }
  }
}

function picture() {
  const scale = Math.min(1, WIDEST / Math.max(view.videoWidth, view.videoHeight));
  canvas.width = Math.round(view.videoWidth * scale);
  canvas.height = Math.round(view.videoHeight * scale);
  canvas.getContext("2d").drawImage(view, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/jpeg", QUALITY));
}

await loadSetup();
byId("camera-start").addEventListener("click", start);
byId("camera-stop").addEventListener("click", stop);
// the system takes the lock away when the page is hidden; it is asked for again when it is back
document.addEventListener("visibilitychange", () => !document.hidden && stream && stayAwake());
if (!window.isSecureContext) tell("insecure");
document.body.dataset.ready = "yes";
