/** The page of the table's cameras: this device as the camera, or a telephone that is let in by a code. */

import { byId } from "./dom.js";
import { cameraPage } from "./pushing.js";
import { loadSetup, send } from "./server.js";
import { startTelephone } from "./telephone.js";

const name = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Send for the owner, who is asked for the PIN where it is needed. */
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
if (byId("telephone").dataset.open === "yes") startTelephone();
document.body.dataset.ready = "yes";
