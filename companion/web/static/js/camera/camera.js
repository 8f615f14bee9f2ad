/** The page of a laboratory's camera: this device, or a phone that a code admits. */

import { byId } from "../page/dom.js";
import { post } from "./own.js";
import { cameraPage } from "./pushing.js";
import { loadSetup } from "../page/server.js";
import { startTelephone } from "./telephone.js";

await loadSetup();
cameraPage({ post });
if (byId("telephone")) startTelephone();
document.body.dataset.ready = "yes";
