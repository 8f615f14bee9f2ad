/** The result of a match as a picture to hand on. */

import { BASE, byId } from "../page/dom.js";
import { handOn } from "../page/picture.js";

byId("replay-share").addEventListener("click", () => {
  const { match } = byId("replay").dataset;
  return handOn(`${BASE}/matches/${match}/result.svg`, [1200, 630], `match-${match}.png`);
});
