/** What is read on a picture of the board: a photograph from this device, or what the table's camera shows now. */

import { BASE, el } from "../page/dom.js";
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
 * What the server reads on a picture: of a position, the ways to understand it, each with a sentence on what to check;
 * of a step, what was done on the board.
 *
 * @param {string} address of the page's interface, behind `api`
 * @param {string[][]} about what the server has to know, names and values
 * @param {File} [file] without one, the camera's picture
 */
export async function photographed(address, about, file) {
  const asked = new URLSearchParams([["language", document.documentElement.lang], ...about]);
  const answer = await send(`${BASE}/api/${address}?${asked}`, JPEG, file ? await smaller(file) : await shown());
  return answer.json();
}

/** A button that chooses a file. */
export const chooser = (key, accept, onchange) => el("label", { class: "button" }, t(`positions.${key}`),
  el("input", { type: "file", class: "unseen", accept, "data-focus": key, onchange }));
