/** On the table's other pages: a device that is the table's camera goes on sending what it sees. */

import { post, rememberSending, sends } from "./own.js";
import { PushedCamera } from "./pushing.js";
import { el } from "../page/dom.js";

if (sends() && window.isSecureContext) {
  const view = el("video", { playsinline: true, "aria-hidden": "true" });
  view.muted = true;
  // a browser decodes what it shows
  Object.assign(view.style, { position: "fixed", right: "0", bottom: "0", width: "2px", height: "2px",
    opacity: "0.01" });
  document.body.append(view);
  new PushedCamera({ post, view, lost: () => rememberSending(false) }).start();
}
