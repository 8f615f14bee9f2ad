/** This device as the camera: which page of it sends, and that it goes on after the page is left or loaded again. */

import { send } from "../page/server.js";

const SENDS = "alea-sends"; // whether this browser's own camera is the table's

function stored(storage, name, make) {
  try {
    const value = storage.getItem(name) ?? make?.() ?? null;
    if (value !== null) storage.setItem(name, value);
    return value;
  } catch {
    return make?.() ?? null; // a browser without storage
  }
}

const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(8)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The name by which the table distinguishes this page from other cameras; reloading the page keeps it. */
const name = stored(sessionStorage, "alea-camera", fresh);

/** Whether this device is the table's camera. */
export const sends = () => stored(localStorage, SENDS) === "yes";

export function rememberSending(on) {
  try {
    localStorage.setItem(SENDS, on ? "yes" : "no");
  } catch { /* a browser without storage: a tap starts the camera again */ }
}

/** Send a request of the owner; it asks for the PIN if it is needed. */
export async function post(path, type, body) {
  try {
    await send(path, type, body, { "X-Alea-Camera": name });
  } catch (error) {
    error.kind = error.body?.kind;
    throw error;
  }
}
