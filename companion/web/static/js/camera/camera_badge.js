/** The camera in one word, beside the page's name; for a telephone with the age of its last picture. */

import { setText } from "../page/dom.js";
import { say, t } from "../page/texts.js";

const STALE_AFTER = 2; // seconds after its last picture until a camera counts as stale

let since = 0; // ms; when the camera was last known to see
let shown = null; // the state from which the age counts on

export function showCamera(badge, camera) {
  const { status } = camera;
  if (status === "LIVE") since = Date.now();
  else if (shown?.status === "LIVE") since = Date.now() - STALE_AFTER * 1000;
  shown = { ...camera, badge };
  badge.dataset.status = status;
  badge.title = say(camera.sentence);
  word(badge);
}

function word(badge) {
  if (!shown) return;
  const { telephone, status } = shown;
  const seconds = since ? Math.round((Date.now() - since) / 1000) : null;
  const known = telephone && (seconds !== null || ["LIVE", "STARTING"].includes(status));
  setText(badge, known ? t(`phone_badge.${status}`, { seconds }) : t(`camera_states.${status}`));
}

// The table sends a state only after a change; between two states the age counts on here.
setInterval(() => shown?.telephone && shown.status !== "LIVE" && word(shown.badge), 1000);
