/** This device as the camera: which page of it sends, and that it goes on after the page is left or loaded again. */

import { remember, remembered } from "../page/dom.js";
import { send } from "../page/server.js";

const SENDS = "alea-sends"; // whether this browser's own camera is the table's

const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(8)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The name by which the table distinguishes this page from other cameras; reloading the page keeps it. */
const name = remembered("alea-camera", "sessionStorage") ?? fresh();
remember("alea-camera", name, "sessionStorage");

/** Whether this device is the table's camera. */
export const sends = () => remembered(SENDS) === "yes";

/** Go on sending after the page is left; a browser without storage needs a tap again. */
export const rememberSending = (on) => remember(SENDS, on ? "yes" : "no");

/** Send a request of the owner; it asks for the PIN if it is needed. */
export async function post(path, type, body) {
  try {
    await send(path, type, body, { "X-Alea-Camera": name });
  } catch (error) {
    error.kind = error.body?.kind;
    throw error;
  }
}
