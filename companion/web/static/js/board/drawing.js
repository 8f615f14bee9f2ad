/** Boards with men as SVG: the men on their sites, the marked sites, the sites to pick, and arrows on top. */

import { bringMaterials } from "./materials.js";
import { planOf, sidesOf, colourOf } from "./plans.js";
import { svg } from "../page/dom.js";
import { t } from "../page/texts.js";

export { isTall, onTurn } from "./plans.js";

/**
 * Draw a board. `board`: {name, men}, men in the game's form; `options`: `lies` and `colours` of the seating,
 * `arrows` [{from, to}] of a `kind`, `marked` sites, `label` for screen readers, `picking` (see `picked`) if sites are
 * buttons.
 */
export function drawBoard(board, options = {}) {
  bringMaterials();
  const plan = planOf(board.name, { ...options, bears: !["home", "held"].includes(board.counts) });
  const { width, height } = plan;
  const role = options.picking ? "group" : "img";
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role, "aria-label": options.label ?? "",
    class: `men-board ${plan.kind}${width < height ? " tall" : ""}${plan.narrow ? " narrow" : ""}` },
    plan.ground,
    Object.entries(board.men ?? {}).map(([site, men]) => standing(site, men, plan, options)),
    (options.marked ?? []).map((site) => svg("rect", { ...plan.area(site), rx: 8, class: "off-site" })),
    (options.taken ?? []).map((site) => svg("rect", { ...plan.area(site), rx: 8, class: "off-site" })),
    (options.arrows ?? []).map((arrow) => arrowOf(arrow, plan, options.kind ?? "")),
    options.picking ? picked(board, plan, options) : null);
}

/** The men on a site; of those that may be moved, the uppermost of the mover's colour has an outline. */
function standing(site, men, plan, options) {
  const group = svg("g", { "data-men": site, "data-slide": slid(site, plan, options) }, plan.men(site, men));
  if (!options.picking?.origins.has(site)) return group;
  const all = [...group.querySelectorAll(".man")];
  (all.findLast((man) => man.classList.contains(options.picking.colour)) ?? all.at(-1))?.classList.add("movable");
  return group;
}

/** How far a man who has just come to a site slides, as "x y" in the drawing's units; null if none has. */
function slid(site, plan, { arrows, slides }) {
  const arrow = slides && (arrows ?? []).find(({ from, to }) => from && to === site);
  if (!arrow) return null;
  const [start, end] = [plan.place(arrow.from), plan.place(site)];
  return `${(start.x - end.x).toFixed(1)} ${(start.y - end.y).toFixed(1)}`;
}

const SLIDE = 200; // ms

/** Let the men that have just come to their sites slide there, unless this browser is asked for no motion. */
export function slide(box) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const group of box.querySelectorAll("[data-slide]")) {
    const men = group.querySelectorAll(".man");
    const moved = men.length > 1 ? men[men.length - 1] : group; // of a stack, its last man
    const [x, y] = group.dataset.slide.split(" ");
    moved.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
      { duration: SLIDE, easing: "ease-out" });
  }
}

/**
 * Every site as a button: `picking` is {origins, targets, takes (sites), chosen, current, pick(site), cancel()}. Tab
 * stops at one of them; arrow keys go from site to site on the board, Enter and the space bar pick, Escape cancels.
 */
function picked(board, plan, options) {
  const { origins, targets, takes, chosen, current, pick, cancel } = options.picking;
  const many = targets.size > MOST_DOTTED;
  const layer = plan.sites.map((site) => {
    const kind = site === chosen ? "chosen"
      : targets.has(site) ? "target" : origins.has(site) ? "origin" : takes.has(site) ? "take" : "other";
    const area = plan.area(site);
    const words = t(`moves.site_${kind}`, { site, men: sayMen(board.men?.[site], options) });
    return svg("g", { class: `site ${kind}${many ? " many" : ""}` },
      svg("rect", {
        ...area, rx: 8, class: "pick", role: "button", tabindex: site === current ? 0 : -1, "data-site": site,
        "data-focus": `site-${site}`,
        "aria-label": words, "aria-pressed": site === chosen ? "true" : null,
        "aria-disabled": kind === "other" ? "true" : null,
      }),
      kind === "target" && !many ? svg("circle", { ...centre(site, plan), r: 13, class: "target-dot" }) : null);
  });
  const onkeydown = (event) => {
    const site = event.target.dataset?.site;
    if (!site) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" || event.key === " ") pick(site);
    else if (event.key in STEPS) step(event.currentTarget, plan, site, STEPS[event.key]);
    else return;
    event.preventDefault();
  };
  const onclick = ({ target }) => target.dataset?.site && pick(target.dataset.site);
  return svg("g", { class: "picks", onclick, onkeydown }, layer);
}

const MOST_DOTTED = 24; // if a man may go nearly anywhere, dots would hide the board
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}

/** The dot of a target: at the place of the next man, or in the middle of a square. */
function centre(site, plan) {
  const { x, y } = plan.dot?.(site) ?? middle(plan.area(site));
  return { cx: x, cy: y };
}

/** Move the focus to the nearest site in a direction. */
function step(group, plan, from, [dx, dy]) {
  const here = middle(plan.area(from));
  let best = null;
  let least = Infinity;
  for (const site of plan.sites) {
    const there = middle(plan.area(site));
    const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const beside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    if (along < 5) continue;
    if (along + 2.5 * beside < least) [best, least] = [site, along + 2.5 * beside];
  }
  if (best === null) return;
  for (const rect of group.querySelectorAll(".pick"))
    rect.setAttribute("tabindex", rect.dataset.site === best ? 0 : -1);
  group.querySelector(`[data-site="${best}"]`).focus();
}

/** Every site with men, in words, for screen readers. */
export function described(board, options = {}) {
  const words = Object.entries(board.men ?? {}).map(([site, men]) => `${site}: ${sayMen(men, options)}`);
  return words.length ? words.join("; ") : t("men.empty");
}

/** The men on a site, in words. */
export function sayMen(men, options = {}) {
  if (!men) return t("men.nothing");
  if (men.hidden) return t("men.hidden");
  if (men.shape) return t("men.numbered",
    { colour: t(`men.${men.colour}`), shape: t(`men.${men.shape}`), number: men.number });
  const more = men.piled ? "+" : "";
  return sidesOf(men).map(([side, count]) =>
    t("men.counted", { count: `${count}${more}`, colour: t(`men.${colourOf(side, options)}`) })).join(", ");
}

/** The arrow of one man's move; if he only leaves or enters the board, a ring around the site. */
function arrowOf({ from, to }, plan, kind) {
  if (!from || !to) {
    const { x, y } = plan.place(from || to);
    return svg("circle", { cx: x, cy: y, r: 30, class: `ring ${kind} ${from ? "leaves" : "comes"}` });
  }
  const [start, end] = [plan.place(from), plan.place(to)];
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const tip = { x: end.x - dx * 6, y: end.y - dy * 6 };
  const neck = { x: tip.x - dx * 24, y: tip.y - dy * 24 };
  const head = [tip, { x: neck.x - dy * 13, y: neck.y + dx * 13 }, { x: neck.x + dy * 13, y: neck.y - dx * 13 }];
  return svg("g", { class: `arrow ${kind}` },
    svg("line", { x1: start.x, y1: start.y, x2: neck.x, y2: neck.y }),
    svg("polygon", { points: head.map((corner) => `${corner.x.toFixed(1)},${corner.y.toFixed(1)}`).join(" ") }));
}
