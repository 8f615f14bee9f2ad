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

/** Draws in `box`, which covers the picture exactly; `onMoved(corners)` is called after somebody has moved a corner. */
export class CornerEditor {
  #box;
  #onMoved;
  #size = [1, 1];
  /** @type {number[][]} */
  #corners = [];
  #url = "";
  #timer = 0; // runs from a key to when its move counts as made
  #moves = 0; // an answer to an older move must not undo a newer one
  #under = svg("path", { class: "field-under" });
  #line = svg("path", { class: "field" });
  #sites = svg("g");
  #markers = svg("g");
  #drawn = svg("svg", { class: "lines", preserveAspectRatio: "none", "aria-hidden": "true" }, this.#markers,
    this.#sites, this.#under, this.#line);
  #near = svg("svg", { "aria-hidden": "true" });
  #magnifier = el("div", { class: "magnifier", hidden: true }, this.#near);
  #handles = [0, 1, 2, 3].map((place) => this.#handle(place));

  constructor(box, onMoved) {
    [this.#box, this.#onMoved] = [box, onMoved];
    box.replaceChildren(this.#drawn, ...this.#handles, this.#magnifier);
  }

  #handle(place) {
    const button = el("button", { type: "button", class: "corner", "data-corner": place + 1 },
      el("span", { "aria-hidden": "true" }, String(place + 1)));
    this.#dragged(button, place);
    button.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const step = event.shiftKey ? FAR : STEP;
      this.#move(place, this.#corners[place][0] + way[0] * step, this.#corners[place][1] + way[1] * step);
      this.#magnify(place);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#made(), SETTLED);
    });
    button.addEventListener("blur", () => {
      this.#magnifier.hidden = true;
      if (this.#timer) this.#made();
    });
    return button;
  }

  /** Let a corner follow the pointer that holds it. */
  #dragged(button, place) {
    let held = null; // from the pointer to the corner, in pixels of the picture; and whether it has moved
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      button.setPointerCapture(event.pointerId);
      const [x, y] = this.#below(event);
      held = { x: this.#corners[place][0] - x, y: this.#corners[place][1] - y, moved: false };
      this.#magnify(place);
    });
    button.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [x, y] = this.#below(event);
      held.moved = true;
      this.#move(place, x + held.x, y + held.y);
      this.#magnify(place); // leaving the other corner has hidden it
    });
    for (const end of ["pointerup", "pointercancel"]) {
      button.addEventListener(end, () => {
        const moved = held?.moved;
        held = null;
        this.#magnifier.hidden = true;
        if (moved) this.#made();
      });
    }
  }

  /** The pixel of the picture under a pointer. */
  #below(event) {
    const at = this.#box.getBoundingClientRect();
    const [width, height] = this.#size;
    return [((event.clientX - at.left) / at.width) * width, ((event.clientY - at.top) / at.height) * height];
  }

  #move(place, x, y) {
    this.#moves += 1;
    const within = (value, whole) => Math.min(whole * (1 + BEYOND), Math.max(-whole * BEYOND, value));
    const [width, height] = this.#size;
    this.#corners[place] = [Math.round(within(x, width) * 10) / 10, Math.round(within(y, height) * 10) / 10];
    this.#sites.replaceChildren(); // they belong to the old outline
    this.#draw();
  }

  #made() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const place = this.#handles.findIndex((button) => button === document.activeElement);
    if (place >= 0) setText(byId("corner-said"), this.#spoken(place));
    this.#onMoved(this.corners);
  }

  #spoken(place) {
    const [x, y] = this.#corners[place];
    const corner = t(`calibrate.corner_${place + 1}`);
    return t("calibrate.corner_at", { corner, x: Math.round(x), y: Math.round(y) });
  }

  #draw() {
    this.#drawn.setAttribute("viewBox", `0 0 ${this.#size[0]} ${this.#size[1]}`);
    this.#under.setAttribute("d", path(this.#corners));
    this.#line.setAttribute("d", path(this.#corners));
    this.#handles.forEach((button, place) => {
      // a corner outside the picture appears at its edge, where it can be grabbed
      const [x, y] = this.#corners[place].map((value, axis) =>
        Math.min(1.02, Math.max(-0.02, value / this.#size[axis])));
      button.style.left = `${x * 100}%`;
      button.style.top = `${y * 100}%`;
      button.setAttribute("aria-label", this.#spoken(place));
    });
  }

  #magnify(place) {
    const [x, y] = this.#corners[place];
    const [width, height] = this.#size;
    const reach = width * AROUND;
    this.#magnifier.hidden = false;
    this.#magnifier.dataset.side = x > width / 2 ? "left" : "right";
    this.#near.setAttribute("viewBox", `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`);
    this.#near.replaceChildren(
      svg("image", { href: this.#url, width, height, preserveAspectRatio: "none" }),
      svg("path", { class: "field", d: path(this.#corners) }),
      svg("path", { class: "cross", d: `M${x - reach / 4} ${y}h${reach / 2}M${x} ${y - reach / 4}v${reach / 2}` }));
  }

  /** Show an outline over a picture. `answer`: the table's answer; without corners the last ones stay. */
  show(answer, picture, { refused = false, of = this.#moves } = {}) {
    this.#size = answer.size;
    this.#url = picture;
    if (of !== this.#moves) return;
    if (answer.corners) this.#corners = answer.corners.map((corner) => [...corner]);
    else if (this.#corners.length !== 4) this.guess();
    this.#sites.replaceChildren(
      ...answer.lines.map((points) => svg("path", { class: "site", d: path(points, false) })));
    this.#markers.replaceChildren(...answer.markers.map((points) => svg("path", { class: "marker", d: path(points) })));
    this.#box.toggleAttribute("data-refused", refused);
    this.#draw();
  }

  /** Begin with a rectangle in the middle, which a person drags to the board. */
  guess() {
    const [width, height] = this.#size;
    const shares = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]];
    this.#corners = shares.map(([x, y]) => [Math.round(x * width), Math.round(y * height)]);
  }

  forget() {
    this.#corners = [];
  }

  /** How often corners were moved so far. */
  get moves() {
    return this.#moves;
  }

  /** Make the next corner the first one: the outline turns by a quarter. */
  turn() {
    this.#moves += 1;
    this.#corners.push(...this.#corners.splice(0, 1));
    this.#sites.replaceChildren();
    this.#draw();
    this.#made();
  }

  get corners() {
    return this.#corners.map((corner) => [...corner]);
  }
}
