/** A position from a picture of the board: a photograph from this device, or what the table's camera shows now. */

import { BASE } from "../page/dom.js";
import { ask, send } from "../page/server.js";
import { t } from "../page/texts.js";

const LONGEST_SIDE = 2560; // pixels: a larger photograph is made smaller before it is sent
const QUALITY = 0.9;
const JPEG = "image/jpeg";

/** The photograph as an upright JPEG that the server takes. */
async function smaller(file) {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error(t("positions.no_picture"));
  });
  const scale = Math.min(1, LONGEST_SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, JPEG, QUALITY));
}

/** What the camera over the board shows, or else the one over the table. */
async function shown() {
  for (const name of ["board", "table"]) {
    const answer = await ask(`${BASE}/api/picture/${name}.jpg`);
    if (answer.status === 200) return answer.blob();
  }
  throw new Error(t("positions.no_camera"));
}

/**
 * The ways to understand the picture: each a position with a sentence on what to check.
 *
 * @param {string} game
 * @param {File} [file] without one, the camera's picture
 * @returns {Promise<{position: any, sentence: string}[]>}
 */
export async function photographed(game, file) {
  const asked = new URLSearchParams({ game, language: document.documentElement.lang });
  const answer = await send(`${BASE}/api/positions/photographed?${asked}`, JPEG,
    file ? await smaller(file) : await shown());
  return answer.json();
}
