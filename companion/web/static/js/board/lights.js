/** The LED board: its state, the meaning of its marks, and a drawing of its lights if the board is simulated. */

import { BASE, byId, el, rebuild, setText, svg } from "../page/dom.js";
import { say, t } from "../page/texts.js";

const WIDE = 100;
const RADIUS = 1.6;
const LOOK_AGAIN = 250; // milliseconds between two requests for the lights of a simulated board

let looking = null;

/**
 * Show the lights of a table that has some. Only the state line is spoken; the marks repeat what the page says.
 * @param {State} state @param {TablePage} page
 */
export function showLights(state, page) {
  const lights = state.lights ?? null;
  const box = byId("lights");
  box.hidden = lights === null;
  if (lights === null) return;
  box.toggleAttribute("data-trouble", lights.trouble);
  setText(byId("lights-line"), say(lights.sentence));
  const press = byId("lights-press");
  press.dataset.press = lights.pressed?.number ?? 0;
  press.toggleAttribute("data-refused", lights.pressed?.ok === false);
  setText(press, lights.pressed ? t("lights.button", { said: say(lights.pressed.sentence) }) : "");
  setText(byId("lights-squares"), say(lights.squares));
  const { lit, theme, dimmed, places } = lights;
  rebuild(byId("lights-shown"), [lit, theme, dimmed, places, page.name(1)], () => [
    places ? drawn(places, lit) : null,
    legend(lit, theme, dimmed, page),
  ]);
  if (places && looking === null) look();
}

/** Colour the drawn lights like the simulated board, again and again while there are any. */
async function look() {
  looking = setTimeout(look, LOOK_AGAIN);
  if (document.hidden) return;
  const response = await fetch(`${BASE}/api/lights`, { cache: "no-store" }).catch(() => null);
  if (!response?.ok) return;
  const shown = await response.json();
  for (const dot of byId("lights-shown").querySelectorAll("circle.light")) {
    const colour = shown[dot.dataset.site] ?? [0, 0, 0];
    dot.style.fill = colour.some((part) => part > 0) ? `rgb(${colour.join(" ")})` : "";
  }
}

/** The lights as dots at the sites; for people who cannot see them, there are the legend and the board in words. */
function drawn(places, lit) {
  const sites = Object.entries(places);
  const rows = sites.map(([, place]) => place[1]);
  const top = (Math.min(...rows) - 0.08) * (WIDE / 2);
  const least = nearest(sites.map(([, place]) => place));
  const height = Math.max(4, (Math.max(...rows) + 0.08) * (WIDE / 2) - top);
  return svg("svg", { viewBox: `0 ${top} ${WIDE} ${height}`, "aria-hidden": "true", class: "lights-board" },
    sites.map(([site, [x, y]]) => {
      const mark = lit[site];
      return svg("circle", { cx: x * WIDE, cy: y * (WIDE / 2), r: Math.min(RADIUS,
        least * 0.42), class: mark ? "light on" : "light", "data-site": site, "data-meaning": mark?.meaning });
    }));
}

/** The distance between the two nearest lights. */
function nearest(places) {
  let least = WIDE;
  for (const [n, [x, y]] of places.entries()) {
    for (const [otherX, otherY] of places.slice(n + 1)) {
      least = Math.min(least, Math.hypot((x - otherX) * WIDE, (y - otherY) * (WIDE / 2)));
    }
  }
  return least;
}

/**
 * What is lit now, in words: one line for each meaning, and one for each player if players have colours of their own.
 * @param {TablePage} page
 */
function legend(lit, theme, dimmed, page) {
  const shown = new Map();
  for (const mark of Object.values(lit)) {
    const own = theme.looks[mark.meaning].colour === null;
    shown.set(`${mark.meaning} ${own ? mark.player : ""}`, mark);
  }
  const order = Object.keys(theme.looks);
  const marks = [...shown.values()].sort((one, other) =>
    order.indexOf(one.meaning) - order.indexOf(other.meaning) || one.player - other.player);
  if (marks.length === 0) return el("p", { class: "lights-dark" }, t("lights.dark"));
  return el("ul", { class: "lights-legend" }, marks.map((mark) => {
    const swatch = el("span", { class: "swatch", "aria-hidden": "true" });
    shine(swatch, mark, theme, dimmed);
    const rhythm = theme.looks[mark.meaning].period ? ` (${t("lights.pulses")})` : "";
    return el("li", { "data-meaning": mark.meaning }, swatch,
      t(`lights.${mark.meaning}`, { player: page.name(mark.player) }) + rhythm);
  }));
}

/** Give a mark its colour and its slow pulse. */
function shine(node, mark, theme, dimmed) {
  const look = theme.looks[mark.meaning];
  const colour = look.colour ?? theme.players[(mark.player - 1) % theme.players.length];
  const left = dimmed && !look.period ? theme.dimmed : 1;
  node.style.backgroundColor = `rgb(${colour.map((part) => Math.round(part * look.share * left)).join(" ")})`;
  if (!look.period) return;
  node.classList.add("pulsing");
  node.style.animationDuration = `${look.period}s`;
  node.style.setProperty("--low", look.low);
}
