/** The cameras that there are, each as a live picture while nobody has chosen one. */

import { ask } from "../page/server.js";
import { BASE, setText } from "../page/dom.js";
import { say, t } from "../page/texts.js";

const EVERY = 400; // ms between a picture and the next

/**
 * Show what the cameras of this computer see as long as `wanted()`; one after the other, so that a busy one stops none.
 */
export function showTiles(wanted) {
  for (const tile of document.querySelectorAll("[data-attached]")) follow(tile, wanted);
}

async function follow(tile, wanted) {
  for (;;) {
    try {
      if (wanted() && !document.hidden) await once(tile, wanted);
    } catch (error) {
      setText(tile.querySelector(".tile-said"), error.message);
    }
    await new Promise((go) => setTimeout(go, EVERY));
  }
}

async function once(tile, wanted) {
  const response = await ask(`${BASE}/api/cameras/${tile.dataset.camera}/live.jpg`);
  const line = tile.querySelector(".tile-said");
  if (response.headers.get("Content-Type") !== "image/jpeg") {
    const { sentence } = await response.json();
    setText(line, sentence ? say(sentence) : t("cameras.no_picture"));
    return;
  }
  const blob = await response.blob();
  if (!wanted()) return;
  const image = tile.querySelector("img");
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(blob);
  image.hidden = false;
  setText(line, "");
}
