/** Until somebody touches them the museum's dice throw themselves, and what was thrown and won piles up before them. */

import { byId, setText } from "../page/dom.js";
import { drawDie, drawPile } from "./museum_dice.js";
import { t } from "../page/texts.js";

const STEP = 700; // ms
const MOST = 200; // throws of each die; the laboratory says of so many at once what they show
const REST = 10; // steps for which the end can be looked at
const PATIENT = 6; // steps after which the dice throw once more in each step than before

/**
 * Show dice again and again: `shuffled()` gives them in an order that nobody knows, `cast(die)` throws one, and
 * `after(places)` says what the laboratory makes of each throw. `waits()`: whether nobody has come yet.
 */
export function startShow({ shuffled, cast, after, waits, cube }) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let show = null;

  const planned = async () => ({ step: 0, thrown: 0, rested: 0, dice: await Promise.all(shuffled().map(async (die) => {
    const places = Array.from({ length: MOST }, () => cast(die));
    return { places, looks: await after(places) };
  })) });

  const draw = ({ thrown, dice }, moved) => dice.forEach(({ places, looks }, n) => {
    const choice = byId("three-dice").children[n];
    const die = drawDie({ edges: cube }, String(places[thrown - 1] + 1)); // a long one would give the answer away
    die.classList.toggle("tumbles", moved);
    const counts = Array(6).fill(0);
    for (const place of places.slice(0, thrown)) counts[place] += 1;
    // the button stays, so that no tap is lost
    choice?.querySelector(".museum-die").replaceWith(die);
    choice?.querySelector(".pile").replaceWith(drawPile(counts, looks[thrown].value));
    setText(choice?.querySelector("small"), t("museum.thrown", { count: thrown }));
  });

  const next = async () => {
    if (!waits()) show = null;
    else if (show === null || show.rested > REST) {
      show = await planned();
      if (!waits()) show = null;
    } else if (show.thrown === MOST) show.rested += still.matches ? 0 : 1;
    else {
      show.step += 1;
      show.thrown = still.matches ? MOST : Math.min(MOST, show.thrown + 1 + Math.floor(show.step / PATIENT));
      draw(show, !still.matches);
    }
  };

  let running = Promise.resolve();
  setInterval(() => {
    running = running.then(next).catch(() => {
      show = null; // without the server the dice rest
    });
  }, STEP);
}
