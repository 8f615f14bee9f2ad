/** "Take your virtues with you": for each player a QR code that contains the result itself. */

import { BASE, byId, el, rebuild } from "../page/dom.js";
import { marks, seal } from "../page/seal.js";
import { t } from "../page/texts.js";

let chosen = null;

export function showSouvenirs(state) {
  let box = byId("kiosk-souvenir");
  if (!box) {
    box = el("section", { id: "kiosk-souvenir", class: "leaf souvenir", "aria-labelledby": "souvenir-heading",
      hidden: true });
    byId("outcome").after(box);
  }
  box.hidden = !state.outcome;
  if (state.outcome) rebuild(box, [state.match.id, state.log?.at(-1)?.event], () => view(state));
}

function view(state) {
  const letters = marks(state.match.players);
  const players = state.match.players.filter((player) => !player.program); // no souvenir for the program
  chosen = players.find(({ number }) => state.outcome.winners.includes(number))?.number ?? players[0].number;
  const version = `${state.match.id}-${state.log?.at(-1)?.event ?? 0}`;
  const picture = el("img", { id: "souvenir-code", width: 400, height: 400 });
  const show = (number) => {
    chosen = number;
    const name = players.find((player) => player.number === number).name;
    picture.alt = t("kiosk.souvenir_label", { player: name });
    picture.src = `${BASE}/api/kiosk/souvenir/${number}.svg?of=${version}`;
  };
  show(chosen);
  return [
    el("div", { class: "souvenir-words" },
      el("h2", { id: "souvenir-heading" },
        t(state.match.of ? "kiosk.souvenir_heading" : "kiosk.souvenir_heading_result")),
      el("p", { class: "kind" }, document.body.dataset.thanks),
      el("p", {}, t("kiosk.souvenir_lead")),
      el("div", { class: "souvenir-players", role: "radiogroup", "aria-label": t("kiosk.souvenir_whose") },
        players.map((player) =>
          el("label", { class: "card" },
            el("input", { type: "radio", name: "souvenir", value: player.number, checked: player.number === chosen,
              onchange: () => show(player.number) }),
            el("span", { class: "card-face souvenir-player" }, seal(player.number, letters[player.number]),
              player.name))))),
    picture,
  ];
}
