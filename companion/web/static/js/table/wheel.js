/**
 * The wheel of virtues: a sector for each with its owner, and the pointer where it last stopped. Tapping a sector
 * enters a throw.
 */

import { spun } from "./dice_now.js";
import { bringMaterials, rosette } from "../board/materials.js";
import { byId, el, rebuild, setText, svg } from "../page/dom.js";
import { marks } from "../page/seal.js";
import { nameOf, t } from "../page/texts.js";

const MIDDLE = 360;
const RIM = 347; // the middle of the wooden ring
const OUTER = 334;
const INNER = 172;
const LONG = 13; // letters; a longer name is drawn narrower
const ROOM = 122; // from the inner edge to the owner's letter

/** @param {InMatch} state @param {TablePage} page */
export function showWheel(state, page) {
  const box = byId("wheel");
  const turned = spun(state, page);
  document.body.classList.toggle("wheel-board", turned);
  setText(document.querySelector("#board-switch span"), t(turned ? "boards.wheel" : "boards.rim"));
  box.hidden = !turned;
  if (!turned) {
    delete box.dataset.key;
    return;
  }
  const stopped = Object.values(state.throw?.faces ?? {})[0] ?? null;
  const letters = marks(state.match.players);
  rebuild(box, [state.virtues.map((virtue) => virtue.owner), stopped, letters],
    () => drawn(state.virtues, stopped, letters, page));
}

/** @param {TablePage} page */
function drawn(virtues, stopped, letters, page) {
  bringMaterials();
  const at = virtues.findIndex((virtue) => virtue.id === stopped);
  const label = at < 0 ? t("boards.wheel_still") : t("boards.wheel_stopped", { virtue: nameOf(page.virtue(stopped)) });
  return el("div", { class: "wheel-stage" },
    svg("svg", { viewBox: "0 0 720 720", class: "wheel-drawing", role: "img", "aria-label": label },
      svg("circle", { cx: MIDDLE, cy: MIDDLE, r: RIM, class: "wheel-rim" }),
      svg("circle", { cx: MIDDLE, cy: MIDDLE, r: RIM, pathLength: virtues.length, class: "wheel-studs" }),
      virtues.map((virtue, n) => sector(virtue, n, virtues.length, virtue.id === stopped, letters)),
      svg("circle", { cx: MIDDLE, cy: MIDDLE, r: INNER - 5, class: "wheel-hub" }),
      rosette(MIDDLE, MIDDLE, INNER - 34),
      at < 0 ? null : svg("g", { transform: `rotate(${(360 * at) / virtues.length} ${MIDDLE} ${MIDDLE})` },
        svg("polygon",
          { points: `${MIDDLE},${MIDDLE - INNER + 8} ${MIDDLE + 15},${MIDDLE + 30} ${MIDDLE - 15},${MIDDLE + 30}`,
            class: "wheel-pointer" })),
      svg("circle", { cx: MIDDLE, cy: MIDDLE, r: 14, class: "wheel-pin" })));
}

/**
 * One virtue's sector: its name reads outwards on the right half and inwards on the left, so that no name is upside
 * down.
 */
function sector(virtue, n, count, stopped, letters) {
  const half = Math.PI / count;
  const turn = 2 * half * n;
  const corner = (radius) => (by) =>
    `${(MIDDLE + radius * Math.sin(turn + by)).toFixed(1)} ${(MIDDLE - radius * Math.cos(turn + by)).toFixed(1)}`;
  const [inner, outer] = [corner(INNER), corner(OUTER)];
  const degrees = (360 * n) / count;
  const left = degrees > 180;
  const row = `rotate(${left ? degrees + 90 : degrees - 90} ${MIDDLE} ${MIDDLE})`;
  const along = (radius) => MIDDLE + (left ? -radius : radius);
  const name = nameOf(virtue);
  const narrow = name.length > LONG ? { textLength: ROOM, lengthAdjust: "spacingAndGlyphs" } : {};
  return svg("g", { class: stopped ? "sector-of stopped" : "sector-of", "data-owner": virtue.owner,
    onclick: () => document.querySelector(`#tap input[value="${virtue.id}"]`)?.click() },
    svg("path", { d: `M${inner(-half)}L${outer(-half)}A${OUTER} ${OUTER} 0 0 1 ${outer(half)}L${inner(half)}Z` }),
    svg("text", { x: along(INNER + 7), y: MIDDLE, transform: row, "text-anchor": left ? "end" : "start", ...narrow },
      name),
    virtue.owner ? svg("text", { x: along(OUTER - 12), y: MIDDLE, transform: row, class: "sector-owner" },
      letters[virtue.owner]) : null);
}
