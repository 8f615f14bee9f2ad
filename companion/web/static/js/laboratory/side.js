/** What is beside the series: the camera's picture, session and hand, the photographs of the faces, the end. */

import { askInDialog } from "../page/dialog.js";
import { byId, el, rebuild, setText } from "../page/dom.js";
import { dieOf, drawFace, labelName } from "./dice.js";
import { picture, tryOrder } from "./server.js";
import { say, t } from "../page/texts.js";

// what the owner noted before the first throw
const WRITTEN = ["who", "surface", "method", "maker", "edges", "weight", "float"];

/**
 * Show what the camera sees, who throws, and which faces have photographs.
 * @param {SeriesState} state @param {LaboratoryPage} page
 */
export function showSide(state, page) {
  const { camera, series } = state;
  const image = byId("camera-picture");
  const seen = camera.picture !== null && camera.picture !== undefined;
  image.hidden = !seen;
  if (seen && image.dataset.picture !== String(camera.picture)) {
    image.dataset.picture = camera.picture;
    image.src = `${picture("table")}?${camera.picture}`;
  }
  byId("lab-camera").hidden = !camera.source && camera.status === "NONE";
  document.body.toggleAttribute("data-camera", Boolean(camera.source));
  setText(byId("camera-line"), say(camera.trouble ?? camera.sentence));
  byId("lab-series").hidden = !series;
  if (!series) return;
  setText(byId("session-now"), session(series));
  rebuild(byId("lab-about"), [series.about], () => WRITTEN.filter((name) => series.about?.[name]).map((name) =>
    el("div", {}, el("dt", {}, t(`labnew.${name}`)), el("dd", {}, series.about[name]))));
  rebuild(byId("photographs"),
    [series.id, camera.status === "LIVE", series.dice.map(({ name }) => name), series.photographs],
    () => photographs(state, page));
}

function session({ session: name, hand }) {
  if (name && hand) return t("lab.session_and_hand", { session: name, hand });
  if (name) return t("lab.session_now", { session: name });
  return hand ? t("lab.hand_now", { hand }) : t("lab.session_none");
}

function photographs(state, page) {
  const live = state.camera.status === "LIVE";
  return [
    el("p", { class: "hint" }, t(live ? "lab.photograph_how" : "lab.photograph_no_camera")),
    state.series.dice.map((die) => [
      state.series.dice.length > 1 ? el("h3", {}, die.name) : null,
      el("div", { class: "pad-buttons small" }, die.labels.map((label) => {
        const done = (state.series.photographs ?? []).some((one) => one.die === die.name && one.face === label);
        return el("button", { type: "button", class: "pad-face", disabled: !live, "data-done": done ? "yes" : "no",
          "data-focus": `photo-${die.name}-${label}`,
          "aria-label": t(done ? "lab.photograph_again" : "lab.photograph_face", { face: labelName(label) }),
          onclick: () => photograph(die.name, label) },
          drawFace(dieOf(page.setup, die), label),
          done ? el("span", { class: "done", "aria-hidden": "true" }, "✓") : null);
      })),
    ]),
  ].flat(Infinity);
}

async function photograph(die, face) {
  if (await tryOrder("photograph", { die, face }))
    setText(byId("photograph-said"), t("lab.photographed", { face: labelName(face) }));
}

/** Connect the controls for session, hand and the end. @param {LaboratoryPage} page */
export function startSide(page) {
  byId("session-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const [name, hand] = ["session-name", "session-hand"].map((id) => byId(id).value.trim());
    if (await tryOrder("session", { name, hand })) byId("session-form").closest("details").open = false;
  });
  byId("lab-end").addEventListener("click", () => askInDialog(byId("lab-dialog"), t("lab.end_heading"),
    el("p", {}, t("lab.end_why", { title: page.state.series?.title ?? "" })),
    async () => Boolean(await tryOrder("end")), { go: t("lab.end") }));
}
