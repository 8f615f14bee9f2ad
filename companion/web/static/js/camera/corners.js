/**
 * Four corners over a picture, movable by mouse, finger and keys, with a magnified view of the picture under one
 * corner.
 */

import { byId, el, setText, svg } from "../page/dom.js";
import { t } from "../page/texts.js";

const STEP = 1; // picture pixels by which an arrow key moves a corner
const FAR = 10; // the same with Shift
const SETTLED = 600; // ms after the last key until a move counts as made
const BEYOND = 0.05; // of the picture: how far outside it a corner may be dragged
const AROUND = 0.055; // of the picture's width: how much the magnifier shows on each side

const path = (points, closed = true) => `M${points.map((point) => point.join(" ")).join("L")}${closed ? "Z" : ""}`;

/**
 * Draw in `box`, which covers the picture exactly; `onMoved(corners)` is called after somebody has moved a corner.
 */
export function cornerEditor(box, onMoved) {
  let size = [1, 1];
  let corners = [];
  let url = "";
  let timer = null;
  let moves = 0; // an answer to an older move must not undo a newer one
  const under = svg("path", { class: "field-under" });
  const line = svg("path", { class: "field" });
  const sites = svg("g");
  const markers = svg("g");
  const drawn = svg("svg", { class: "lines", preserveAspectRatio: "none", "aria-hidden": "true" }, markers,
    sites, under, line);
  const near = svg("svg", { "aria-hidden": "true" });
  const magnifier = el("div", { class: "magnifier", hidden: true }, near);
  const handles = [1, 2, 3, 4].map((number) => handle(number));
  box.replaceChildren(drawn, ...handles, magnifier);

  function handle(number) {
    const place = number - 1;
    const button = el("button", { type: "button", class: "corner", "data-corner": number },
      el("span", { "aria-hidden": "true" }, String(number)));
    let held = null; // from the pointer to the corner, in pixels of the picture
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      button.setPointerCapture(event.pointerId);
      const [x, y] = below(event);
      held = [corners[place][0] - x, corners[place][1] - y, false];
      magnify(place);
    });
    button.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [x, y] = below(event);
      held[2] = true;
      move(place, x + held[0], y + held[1]);
      magnify(place); // leaving the other corner has hidden it
    });
    for (const end of ["pointerup", "pointercancel"]) {
      button.addEventListener(end, () => {
        const moved = held?.[2];
        held = null;
        magnifier.hidden = true;
        if (moved) made();
      });
    }
    button.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const step = event.shiftKey ? FAR : STEP;
      move(place, corners[place][0] + way[0] * step, corners[place][1] + way[1] * step);
      magnify(place);
      clearTimeout(timer);
      timer = setTimeout(made, SETTLED);
    });
    button.addEventListener("blur", () => {
      magnifier.hidden = true;
      if (timer !== null) made();
    });
    return button;
  }

  /** The pixel of the picture under a pointer. */
  function below(event) {
    const at = box.getBoundingClientRect();
    return [((event.clientX - at.left) / at.width) * size[0], ((event.clientY - at.top) / at.height) * size[1]];
  }

  function move(place, x, y) {
    moves += 1;
    const within = (value, whole) => Math.min(whole * (1 + BEYOND), Math.max(-whole * BEYOND, value));
    corners[place] = [Math.round(within(x, size[0]) * 10) / 10, Math.round(within(y, size[1]) * 10) / 10];
    sites.replaceChildren(); // they belong to the old outline
    draw();
  }

  function made() {
    clearTimeout(timer);
    timer = null;
    const place = handles.indexOf(document.activeElement);
    if (place >= 0) setText(byId("corner-said"), spoken(place));
    onMoved(corners.map((corner) => [...corner]));
  }

  const spoken = (place) =>
    t("calibrate.corner_at", { corner: t(`calibrate.corner_${place + 1}`), x: Math.round(corners[place][0]),
      y: Math.round(corners[place][1]) });

  function draw() {
    drawn.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    under.setAttribute("d", path(corners));
    line.setAttribute("d", path(corners));
    handles.forEach((button, place) => {
      // a corner outside the picture appears at its edge, where it can be grabbed
      const [x, y] = corners[place].map((value, axis) => Math.min(1.02, Math.max(-0.02, value / size[axis])));
      button.style.left = `${x * 100}%`;
      button.style.top = `${y * 100}%`;
      button.setAttribute("aria-label", spoken(place));
    });
  }

  function magnify(place) {
    const [x, y] = corners[place];
    const reach = size[0] * AROUND;
    magnifier.hidden = false;
    magnifier.dataset.side = x > size[0] / 2 ? "left" : "right";
    near.setAttribute("viewBox", `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`);
    near.replaceChildren(
      svg("image", { href: url, width: size[0], height: size[1], preserveAspectRatio: "none" }),
      svg("path", { class: "field", d: path(corners) }),
      svg("path", { class: "cross", d: `M${x - reach / 4} ${y}h${reach / 2}M${x} ${y - reach / 4}v${reach / 2}` }));
  }

  return {
    /** Show an outline over a picture. `told`: the table's answer; without corners the last ones stay. */
    show(told, picture, { refused = false, of = moves } = {}) {
      size = told.size;
      url = picture;
      if (of !== moves) return;
      if (told.corners) corners = told.corners.map((corner) => [...corner]);
      else if (corners.length !== 4) this.guess();
      sites.replaceChildren(...told.lines.map((points) => svg("path", { class: "site", d: path(points, false) })));
      markers.replaceChildren(...told.markers.map((points) => svg("path", { class: "marker", d: path(points) })));
      box.toggleAttribute("data-refused", refused);
      draw();
    },
    /** Begin with a rectangle in the middle, which a person drags to the board. */
    guess() {
      const [width, height] = size;
      corners = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8],
        [0.2, 0.8]].map(([x, y]) => [Math.round(x * width), Math.round(y * height)]);
    },
    forget() {
      corners = [];
    },
    /** How often corners were moved so far. */
    get moves() {
      return moves;
    },
    /** Make the next corner the first one: the outline turns by a quarter. */
    turn() {
      moves += 1;
      corners.push(corners.shift());
      sites.replaceChildren();
      draw();
      made();
    },
    get corners() {
      return corners.map((corner) => [...corner]);
    },
  };
}
