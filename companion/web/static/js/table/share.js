/** The result of a match as a picture: the device's own way of sharing if it has one for files, else a file to keep. */

import { BASE, byId, el } from "../page/dom.js";
import { notice } from "../page/server.js";

const SIZE = [1200, 630];

async function png(address) {
  const drawn = new Image(...SIZE);
  drawn.src = address;
  await drawn.decode();
  const canvas = el("canvas", { width: SIZE[0], height: SIZE[1] });
  canvas.getContext("2d")?.drawImage(drawn, 0, 0, SIZE[0], SIZE[1]);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

byId("replay-share").addEventListener("click", async () => {
  const { match } = byId("replay").dataset;
  try {
    const picture = new File([await png(`${BASE}/matches/${match}/result.svg`)], `match-${match}.png`,
      { type: "image/png" });
    if (navigator.canShare?.({ files: [picture] })) {
      await navigator.share({ files: [picture] });
      return;
    }
    const link = el("a", { href: URL.createObjectURL(picture), download: picture.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch (error) {
    if (error.name !== "AbortError") notice(error.message); // a person who thinks better of it needs no notice
  }
});
