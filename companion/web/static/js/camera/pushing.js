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

/** A browser's reasons for giving no camera, as the page says them. */
const REFUSED = { NotAllowedError: "denied", NotFoundError: "none_found", OverconstrainedError: "none_found",
  NotReadableError: "busy" };

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
  const refusal = await response.json().catch(() => ({}));
  throw new NotTaken(refusal.error ?? t("errors.unexpected"), response.status, refusal.kind);
}

/** What a page does where it shows less of a camera than others. @type {Record<string, (...about: any[]) => any>} */
const QUIET = { tell() {}, note() {}, started() {}, stopped() {}, other() {}, lost() {} };

/**
 * A camera of this device, shown in `view`. `post(path, type, body)` sends, and throws `status` and `kind` of a
 * refusal.
 *
 * `shows`: what the page does, each as it likes: `tell(key, parts)` and `note(name, key)` say something,
 * `started(holds)` and `stopped()` follow the camera, `other()`: another device is the camera, `lost()`: the table no
 * longer knows this one.
 */
export class PushedCamera {
  #send;
  #view;
  #shows;
  #canvas = document.createElement("canvas");
  /** @type {MediaStream | null} */
  #stream = null;
  /** @type {WakeLockSentinel | null} */
  #lock = null;
  #quality = BEST;
  #scale = 1;
  /** @type {boolean | null} */
  #across = null; // whether the first picture was wider than high
  /** @type {number[]} */
  #times = [];
  #count = 0;

  constructor({ post: send, view, ...shows }) {
    [this.#send, this.#view, this.#shows] = [send, view, { ...QUIET, ...shows }];
    // the system releases the lock of a hidden page; request it again when the page returns
    document.addEventListener("visibilitychange", () => !document.hidden && this.#stream && this.#stayAwake());
  }

  /** Show what the camera sees, and send nothing, if the browser allows that without asking. */
  async look() {
    const allowed = await navigator.permissions?.query({ name: "camera" }).catch(() => null);
    if (allowed?.state === "granted" && window.isSecureContext) await this.#open();
  }

  /** Start the camera; true once it is open. */
  async start() {
    if (!this.#stream && !(await this.#open())) return false;
    [this.#across, this.#times, this.#count, this.#quality, this.#scale] = [null, [], 0, BEST, 1];
    this.#shows.started("getCapabilities" in this.#track && this.#holdable().length > 0);
    this.#shows.tell("camera.sent_none");
    await this.#stayAwake();
    this.#push();
    return true;
  }

  get #track() {
    return /** @type {MediaStream} */ (this.#stream).getVideoTracks()[0];
  }

  async #open() {
    const { tell } = this.#shows;
    if (!window.isSecureContext) return tell("camera.insecure");
    if (!navigator.mediaDevices?.getUserMedia) return tell("camera.unsupported");
    try {
      this.#stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } },
      });
    } catch (error) {
      return tell(`camera.${REFUSED[error.name] ?? "none_found"}`);
    }
    for (const track of this.#stream.getVideoTracks())
      track.addEventListener("ended", () => this.#stream && this.stop("phone.ended"));
    this.#view.srcObject = this.#stream;
    this.#view.hidden = false;
    await this.#view.play();
    return true;
  }

  stop(why = "") {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
    this.#view.srcObject = null;
    this.#view.hidden = true;
    this.#shows.stopped();
    this.#shows.tell(why);
    this.#lock?.release().catch(() => {});
    this.#lock = null;
  }

  async #stayAwake() {
    try {
      this.#lock = await navigator.wakeLock.request("screen");
      this.#shows.note("awake", null);
    } catch {
      this.#shows.note("awake", "camera.not_awake");
    }
  }

  /** Send picture after picture until the camera stops, or the table wants no more of them. */
  async #push() {
    const mine = this.#stream;
    let failures = 0;
    while (this.#stream === mine) {
      const begun = Date.now();
      try {
        if (!(await this.#fresh())) {
          this.#shows.tell(document.hidden ? "phone.hidden" : "phone.frozen");
          continue;
        }
        if (this.#stream !== mine) return;
        await this.#send(`${BASE}/api/frames`, "image/jpeg", await this.#picture());
        failures = 0;
        this.#taken(begun);
        await pause(Math.max(20, PERIOD - (Date.now() - begun)));
      } catch (error) {
        if (this.#stream !== mine || this.#endedBy(error)) return;
        await pause(RETRY[Math.min(failures, RETRY.length - 1)]);
        failures += 1;
      }
    }
  }

  #taken(begun) {
    this.#count += 1;
    const times = [...this.#times.filter((time) => time > begun - 5000), Date.now()];
    const rate = times.length < 2 ? "…" : number(((times.length - 1) * 1000) / (times[times.length - 1] - times[0]), 1);
    this.#times = times;
    this.#shows.tell("camera.sending", { count: this.#count, rate });
  }

  /** Say why a picture was not taken; true if no other may follow it. */
  #endedBy(error) {
    const { tell, other, lost } = this.#shows;
    if (error.kind === "other") { // until somebody takes over
      tell("phone.other");
      other();
      return true;
    }
    if (error.status === 401) { // the table no longer knows this device, or nobody gave the PIN
      this.stop("phone.unknown");
      lost();
      return true;
    }
    tell(error.status === 0 ? "camera.lost" : "camera.refused", { reason: error.message });
    return false;
  }

  async takeOver() {
    try {
      await this.#send(`${BASE}/api/frames/take-over`, "application/json", "{}");
    } catch (error) {
      this.#endedBy(error);
      return;
    }
    await this.#push();
  }

  /** Wait for a new picture; false if none comes, so that a frozen camera does not look like a working one. */
  #fresh() {
    if (!this.#view.requestVideoFrameCallback) return pause(PERIOD).then(() => !document.hidden);
    return new Promise((done) => {
      const timer = setTimeout(() => done(false), FROZEN);
      this.#view.requestVideoFrameCallback(() => {
        clearTimeout(timer);
        done(true);
      });
    });
  }

  async #picture() {
    const { videoWidth: width, videoHeight: height } = this.#view;
    this.#turned(width >= height);
    for (;;) {
      const part = Math.min(1, WIDEST / Math.max(width, height)) * this.#scale;
      this.#canvas.width = Math.round(width * part);
      this.#canvas.height = Math.round(height * part);
      this.#canvas.getContext("2d")?.drawImage(this.#view, 0, 0, this.#canvas.width, this.#canvas.height);
      const blob = await new Promise((done) => this.#canvas.toBlob(done, "image/jpeg", this.#quality));
      if (!blob) throw new NotTaken(t("errors.unexpected"), 0);
      if (blob.size <= LARGEST) return blob;
      if (this.#quality > WORST) this.#quality = Math.max(WORST, this.#quality - 0.1);
      else this.#scale *= 0.85; // stays in effect: following a board needs pictures of one size
    }
  }

  #turned(wide) {
    this.#across ??= wide;
    this.#shows.note("turned", wide !== this.#across ? "phone.turned" : wide ? null : "phone.upright");
  }

  #holdable() {
    const can = this.#track.getCapabilities();
    return Object.entries(HELD).filter(([, [mode]]) => can[mode]?.includes("manual"));
  }

  /** Hold light, colours and sharpness as they are now; read each back and show the result. */
  async hold() {
    const track = this.#track;
    const now = track.getSettings();
    const can = this.#holdable().map(([name]) => name);
    for (const [name, [mode, value]] of Object.entries(HELD)) {
      if (can.includes(name)) {
        const wanted = { [mode]: "manual", ...(now[value] === undefined ? {} : { [value]: now[value] }) };
        await track.applyConstraints({ advanced: [wanted] }).catch(() => {});
      }
      const held = can.includes(name) && track.getSettings()[mode] === "manual";
      this.#shows.note(name, held ? `phone.${name}_held` : `phone.${name}_free`);
    }
  }
}

/** What the page of a camera says, and since when. */
const spoken = { key: "", at: 0 };

const shows = {
  tell(key, parts) {
    const now = Date.now();
    if (spoken.key === key && now - spoken.at < SPEAK) return;
    // a screen reader speaks a count once
    byId("camera-status").setAttribute("aria-live", spoken.key === key ? "off" : "polite");
    Object.assign(spoken, { key, at: now });
    setText(byId("camera-status"), key ? t(key, parts) : "");
  },
  note(name, key) {
    const old = byId("camera-notes").querySelector(`[data-note="${name}"]`);
    if (!key) old?.remove();
    else if (old) setText(old, t(key));
    else byId("camera-notes").append(el("li", { "data-note": name }, t(key)));
  },
  started(holds) {
    byId("camera-start").hidden = true;
    byId("camera-stop").hidden = false;
    byId("hold").hidden = !holds;
    document.body.dataset.camera = "on";
  },
  stopped() {
    byId("camera-start").hidden = false;
    for (const id of ["camera-stop", "take-over", "hold"]) byId(id).hidden = true;
    byId("camera-notes").replaceChildren();
    document.body.dataset.camera = "off";
  },
  other() {
    byId("take-over").hidden = false;
    byId("take-over").focus();
  },
};

/** Connect the buttons of a page whose one purpose is to send; the rest as for `PushedCamera`. */
export function cameraPage({ post: send, lost = () => {} }) {
  const camera = new PushedCamera({ post: send, view: byId("camera-view"), ...shows, lost });
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
  byId("hold").addEventListener("click", () => camera.hold());
  if (!window.isSecureContext) shows.tell("camera.insecure");
  return { tell: shows.tell };
}
