/** A camera of this device that sends pictures to the table: one at a time, each from another moment. */

import { BASE, byId, el, setText } from "../page/dom.js";
import { number, t } from "../page/texts.js";

const PERIOD = 220; // ms between two pictures: 4 to 5 a second, fewer when the network is slow
const LARGEST = 1_000_000; // bytes of one picture
const BEST = 0.85;
const WORST = 0.45;
const WIDEST = 1920; // pixels of the longer side
const ANSWERED = 8000; // ms within which the table must answer
const FROZEN = 3000; // ms without a new picture from the camera
const RETRY = [1000, 2000, 4000, 8000]; // ms of the pauses after successive failures
const SPEAK = 2000; // ms between two messages of the same kind, so that a screen reader can finish
const HELD = {
  exposure: ["exposureMode", "exposureTime"],
  white_balance: ["whiteBalanceMode", "colorTemperature"],
  focus: ["focusMode", "focusDistance"],
};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** A refusal: `status` is the HTTP status, or 0 without an answer; `kind` other: another device is the camera. */
export class NotTaken extends Error {
  constructor(sentence, status, kind = "") {
    super(sentence);
    this.status = status;
    this.kind = kind;
  }
}

/** Send bytes to the table; returns nothing, or throws a refusal. */
export async function post(path, type, body, headers = {}) {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), ANSWERED);
  let response;
  try {
    response = await fetch(path,
      { method: "POST", credentials: "same-origin", headers: { "Content-Type": type, ...headers }, body,
        signal: gone.signal });
  } catch {
    throw new NotTaken(t("errors.unreachable"), 0);
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return;
  const told = await response.json().catch(() => ({}));
  throw new NotTaken(told.error ?? t("errors.unexpected"), response.status, told.kind);
}

/** What a page does where it shows less of a camera than others. */
const QUIET = { tell() {}, note() {}, started() {}, stopped() {}, other() {}, lost() {} };

/**
 * A camera of this device, shown in `view`. `post(path, type, body)` sends, and throws `status` and `kind` of a
 * refusal.
 *
 * `shows`: what the page does, each as it likes: `tell(key, parts)` and `note(name, key)` say something,
 * `started(holds)` and `stopped()` follow the camera, `other()`: another device is the camera, `lost()`: the table no
 * longer knows this one.
 */
export function sender({ post: send, view, ...shows }) {
  const { tell, note, started, stopped, other, lost } = { ...QUIET, ...shows };
  const canvas = document.createElement("canvas");
  let stream = null;
  let lock = null;
  let quality = BEST;
  let scale = 1;
  let across = null; // whether the first picture was wider than high
  let times = [];
  let count = 0;

  /** Show what the camera sees, and send nothing, if the browser allows that without asking. */
  async function look() {
    const allowed = await navigator.permissions?.query({ name: "camera" }).catch(() => null);
    if (allowed?.state === "granted" && window.isSecureContext) await open();
  }

  /** Start the camera; true once it is open. */
  async function start() {
    if (!stream && !(await open())) return false;
    [across, times, count, quality, scale] = [null, [], 0, BEST, 1];
    started(Boolean(stream.getVideoTracks()[0]?.getCapabilities && holdable().length));
    tell("camera.sent_none");
    await stayAwake();
    push();
    return true;
  }

  async function open() {
    if (!window.isSecureContext) return tell("camera.insecure");
    if (!navigator.mediaDevices?.getUserMedia) return tell("camera.unsupported");
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } },
      });
    } catch (error) {
      const known = { NotAllowedError: "denied", NotFoundError: "none_found", OverconstrainedError: "none_found",
        NotReadableError: "busy" };
      return tell(`camera.${known[error.name] ?? "none_found"}`);
    }
    for (const track of stream.getVideoTracks()) track.addEventListener("ended", () => stream && stop("phone.ended"));
    view.srcObject = stream;
    view.hidden = false;
    await view.play();
    return true;
  }

  function stop(why = "") {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    view.srcObject = null;
    view.hidden = true;
    stopped();
    tell(why);
    lock?.release().catch(() => {});
    lock = null;
  }

  async function stayAwake() {
    try {
      lock = await navigator.wakeLock.request("screen");
      note("awake", null);
    } catch {
      note("awake", "camera.not_awake");
    }
  }

  async function push() {
    const mine = stream;
    let failures = 0;
    while (stream === mine) {
      const begun = Date.now();
      try {
        if (!(await fresh())) {
          tell(document.hidden ? "phone.hidden" : "phone.frozen");
          continue;
        }
        if (stream !== mine) return;
        await send(`${BASE}/api/frames`, "image/jpeg", await picture());
        failures = 0;
        count += 1;
        times = [...times.filter((time) => time > begun - 5000), Date.now()];
        tell("camera.sending", { count, rate: rate() });
        await pause(Math.max(20, PERIOD - (Date.now() - begun)));
      } catch (error) {
        if (stream !== mine) return;
        if (error.kind === "other") return second();
        if (error.status === 401) return unknown();
        if (error.status === 0) tell("camera.lost");
        else tell("camera.refused", { reason: error.message });
        await pause(RETRY[Math.min(failures, RETRY.length - 1)]);
        failures += 1;
      }
    }
  }

  const rate = () => (times.length < 2 ? "…" : number(((times.length - 1) * 1000) / (times.at(-1) - times[0]), 1));

  /** Another device is the camera: send nothing until somebody takes over. */
  function second() {
    tell("phone.other");
    other();
  }

  /** The table no longer knows this device, or nobody gave the PIN. */
  function unknown() {
    stop("phone.unknown");
    return lost();
  }

  async function takeOver() {
    try {
      await send(`${BASE}/api/frames/take-over`, "application/json", "{}");
    } catch (error) {
      if (error.status === 401) return unknown();
      return tell(error.status === 0 ? "camera.lost" : "camera.refused", { reason: error.message });
    }
    return push();
  }

  /** Wait for a new picture; false if none comes, so that a frozen camera does not look like a working one. */
  function fresh() {
    if (!view.requestVideoFrameCallback) return pause(PERIOD).then(() => !document.hidden);
    return new Promise((done) => {
      const timer = setTimeout(() => done(false), FROZEN);
      view.requestVideoFrameCallback(() => {
        clearTimeout(timer);
        done(true);
      });
    });
  }

  async function picture() {
    turned();
    for (;;) {
      const part = Math.min(1, WIDEST / Math.max(view.videoWidth, view.videoHeight)) * scale;
      canvas.width = Math.round(view.videoWidth * part);
      canvas.height = Math.round(view.videoHeight * part);
      canvas.getContext("2d").drawImage(view, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
      if (!blob) throw new NotTaken(t("errors.unexpected"), 0);
      if (blob.size <= LARGEST) return blob;
      if (quality > WORST) quality = Math.max(WORST, quality - 0.1);
      else scale *= 0.85; // stays in effect: following a board needs pictures of one size
    }
  }

  function turned() {
    const wide = view.videoWidth >= view.videoHeight;
    across ??= wide;
    note("turned", wide !== across ? "phone.turned" : wide ? null : "phone.upright");
  }

  const holdable = () => {
    const can = stream.getVideoTracks()[0].getCapabilities();
    return Object.entries(HELD).filter(([, [mode]]) => can[mode]?.includes("manual"));
  };

  /** Hold light, colours and sharpness as they are now; read each back and show the result. */
  async function hold() {
    const track = stream.getVideoTracks()[0];
    const now = track.getSettings();
    const can = holdable().map(([name]) => name);
    for (const [name, [mode, value]] of Object.entries(HELD)) {
      if (can.includes(name)) {
        const wanted = { [mode]: "manual", ...(now[value] === undefined ? {} : { [value]: now[value] }) };
        await track.applyConstraints({ advanced: [wanted] }).catch(() => {});
      }
      const held = can.includes(name) && track.getSettings()[mode] === "manual";
      note(name, held ? `phone.${name}_held` : `phone.${name}_free`);
    }
  }

  // the system releases the lock of a hidden page; request it again when the page returns
  document.addEventListener("visibilitychange", () => !document.hidden && stream && stayAwake());
  return { look, start, stop, takeOver, hold };
}

/** Connect the buttons of a page whose one purpose is to send; the rest as for `sender`. */
export function cameraPage({ post: send, lost = () => {} }) {
  let said = ["", 0];

  function tell(key, parts) {
    const now = Date.now();
    if (said[0] === key && now - said[1] < SPEAK) return;
    // a screen reader speaks a count once
    byId("camera-status").setAttribute("aria-live", said[0] === key ? "off" : "polite");
    said = [key, now];
    setText(byId("camera-status"), key ? t(key, parts) : "");
  }

  function note(name, key) {
    const old = byId("camera-notes").querySelector(`[data-note="${name}"]`);
    if (!key) return old?.remove();
    if (old) return setText(old, t(key));
    return byId("camera-notes").append(el("li", { "data-note": name }, t(key)));
  }

  function started(holds) {
    byId("camera-start").hidden = true;
    byId("camera-stop").hidden = false;
    byId("hold").hidden = !holds;
    document.body.dataset.camera = "on";
  }

  function stopped() {
    byId("camera-start").hidden = false;
    for (const id of ["camera-stop", "take-over", "hold"]) byId(id).hidden = true;
    byId("camera-notes").replaceChildren();
    document.body.dataset.camera = "off";
  }

  function other() {
    byId("take-over").hidden = false;
    byId("take-over").focus();
  }

  const camera = sender({ post: send, view: byId("camera-view"), tell, note, started, stopped, other, lost });
  byId("camera-start").addEventListener("click", async () => {
    byId("camera-start").disabled = true;
    await camera.start().finally(() => (byId("camera-start").disabled = false));
  });
  byId("camera-start").disabled = false; // the page comes with it disabled: a tap before this line would do nothing
  byId("camera-stop").addEventListener("click", () => camera.stop());
  byId("take-over").addEventListener("click", () => {
    byId("take-over").hidden = true;
    camera.takeOver();
  });
  byId("hold").addEventListener("click", camera.hold);
  if (!window.isSecureContext) tell("camera.insecure");
  return { tell };
}
