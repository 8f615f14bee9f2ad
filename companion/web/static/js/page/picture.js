/** A drawing as a picture to hand on: the device's own way of sharing if it has one for files, else a file to keep. */

import { el } from "./dom.js";
import { notice } from "./server.js";

async function png(address, [width, height]) {
  const drawn = new Image(width, height);
  drawn.src = address;
  await drawn.decode();
  const canvas = el("canvas", { width, height });
  canvas.getContext("2d")?.drawImage(drawn, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/**
 * Share or keep the SVG drawing at an address as a PNG picture.
 *
 * @param {string} address @param {[number, number]} size width and height of the picture in pixels
 * @param {string} name of the file
 */
export async function handOn(address, size, name) {
  try {
    const picture = new File([await png(address, size)], name, { type: "image/png" });
    if (navigator.canShare?.({ files: [picture] })) {
      await navigator.share({ files: [picture] });
      return;
    }
    const link = el("a", { href: URL.createObjectURL(picture), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch (error) {
    if (error.name !== "AbortError") notice(error.message); // a person who thinks better of it needs no notice
  }
}
