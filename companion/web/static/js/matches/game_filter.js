/** Sorting out the list of games: by words, length, difficulty, origin and players. */

import { byId } from "../page/dom.js";
import { t } from "../page/texts.js";

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const FITS = {
  words: (entry, value) => plain(value).split(/\s+/).every((word) => entry.words.includes(word)),
  minutes: ({ data }, value) =>
    data.minutes !== "" && Number(data.minutes) >= parseInt(value)
      && Number(data.minutes) <= Number(value.split("-")[1]),
  level: ({ data }, value) => data.level === value,
  origin: ({ data }, value) => data.origin === value,
  players: ({ data }, value) => data.players.split(" ").includes(value),
};

/** Show the fields; from then on they decide which games the list shows. */
export function filterGames() {
  const box = byId("game-filter");
  const fields = [...box.querySelectorAll("[data-filter]")];
  const entries = [...document.querySelectorAll(".game-entry")].map((element) =>
    ({ element, data: element.dataset, words: plain(element.textContent) }));
  const draw = () => {
    const set = fields.filter((field) => field.value.trim());
    for (const entry of entries)
      entry.element.hidden = !set.every((field) => FITS[field.dataset.filter](entry, field.value.trim()));
    for (const family of document.querySelectorAll(".family"))
      family.hidden = !family.querySelector(".game-entry:not([hidden])");
    const count = entries.filter((entry) => !entry.element.hidden).length;
    byId("games-found").textContent = count ? t("cards.games", { count }) : t("filter.none_fits");
    byId("all-games").disabled = !set.length;
  };
  box.addEventListener("input", draw);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input")) event.preventDefault(); // it must not begin a match
  });
  byId("all-games").addEventListener("click", () => {
    for (const field of fields) field.value = "";
    draw();
    fields[0].focus();
  });
  box.hidden = false;
}
