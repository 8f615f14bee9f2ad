/** The page of a telephone that is the table's camera: the code in its address admits it, then it sends. */

import { BASE, byId } from "../page/dom.js";
import { cameraPage, post } from "./pushing.js";
import { loadSetup } from "../page/server.js";

await loadSetup();
const page = cameraPage({ post, lost: () => (byId("camera-start").hidden = true) });
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname); // the token admits nobody a second time
  byId("camera-start").disabled = true;
  try {
    await post(`${BASE}/api/phone/pair`, "application/json", JSON.stringify({ token }));
    page.tell("phone.let_in");
    byId("camera-start").disabled = false;
    byId("camera-start").focus();
  } catch (error) {
    page.tell(error.status === 0 ? "camera.lost" : "phone.code_over");
  }
} else {
  page.tell("phone.begin");
}
document.body.dataset.ready = "yes";
