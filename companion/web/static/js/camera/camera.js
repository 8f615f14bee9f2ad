/** The page of the table's cameras: this device as the camera, or a telephone that a code admits. */

import { byId } from "../page/dom.js";
import { startPreviews } from "./attached.js";
import { cameraPage } from "./pushing.js";
import { loadSetup, send } from "../page/server.js";
import { startTelephone } from "./telephone.js";

/** The name by which the table distinguishes this page from other cameras; reloading the page keeps it. */
function ownName() {
  const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const name = sessionStorage.getItem("alea-camera") ?? fresh();
    sessionStorage.setItem("alea-camera", name);
    return name;
  } catch {
    return fresh(); // a browser without storage
  }
}

const name = ownName();

/** Send a request of the owner; it asks for the PIN if it is needed. */
async function post(path, type, body) {
  try {
    await send(path, type, body, { "X-Alea-Camera": name });
  } catch (error) {
    error.kind = error.body?.kind;
    throw error;
  }
}

await loadSetup();
cameraPage({ post });
startPreviews();
if (byId("telephone").dataset.open === "yes") startTelephone();
document.body.dataset.ready = "yes";
