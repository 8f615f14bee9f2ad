/** The page of the table's cameras: this device as the camera, or a telephone that is let in by a code. */

import { byId } from "../page/dom.js";
import { cameraPage } from "./pushing.js";
import { loadSetup, send } from "../page/server.js";
import { startTelephone } from "./telephone.js";

/** By this name the table knows this page from other cameras; it stays when the page is loaded anew. */
function ownName() {
  const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const name = sessionStorage.getItem("alea-camera") ?? fresh();
    sessionStorage.setItem("alea-camera", name);
    return name;
  } catch {
    return fresh(); // a browser that keeps nothing
  }
}

const name = ownName();

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
