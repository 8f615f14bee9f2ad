/**
 * Teaching the table its dice: one find after the other with what the reader takes it for, and a picture of all faces.
 */

import { BASE, byId, el, rebuild, setText } from "../page/dom.js";
import { opened } from "../page/opening.js";
import { attempt, fetched, sendJson } from "../page/server.js";
import { listed, say, t } from "../page/texts.js";

const LOOK_EVERY = 400; // milliseconds
// milliseconds in which a new question takes no answer: the second tap of two is meant for the last one
const SETTLE = 300;
const LIKELY = 3; // faces beside the first that come with large buttons

let state = null;
let drawn = 0; // when the question that is shown was drawn
let timer = 0;

const path = (act) => `${BASE}/api/teaching/${act}`;

/** Do a step, and show what is so after it. */
const act = (name, body = {}) => attempt(async () => {
  show(await sendJson(path(name), body));
  return true;
}, byId("wrong"));

async function look() {
  clearTimeout(timer);
  try {
    if (!document.hidden) show(await fetched(`${BASE}/api/teaching`));
  } catch (error) {
    byId("wrong").textContent = error.message;
  }
  timer = setTimeout(look, LOOK_EVERY);
}

function show(answer) {
  state = answer.teaching;
  byId("teach-begin").hidden = Boolean(state);
  byId("teaching").hidden = !state;
  if (!state) {
    clearTimeout(timer);
    return;
  }
  const names = state.faces.map((face) => face.text);
  const missing = names.filter((_, n) => !state.faces[n].looks);
  const now = !missing.length ? t("teach.done")
    : answer.camera ? say(answer.camera)
      : state.asked ? t("teach.asking", { count: state.asked.more + 1 })
        : state.throws ? t("teach.again") : t("teach.throw");
  setText(byId("teach-now"), now);
  setText(byId("teach-count"), t("teach.count", { count: state.known, of: names.length }));
  byId("teach-hint").hidden = !(state.hint && missing.length);
  setText(byId("teach-hint").firstElementChild, state.hint ? t("teach.missing", { faces: listed(missing) }) : "");
  byId("teach-back").disabled = !state.back;
  setText(byId("teach-leave"), missing.length ? t("teach.leave") : t("teach.to_match"));
  byId("teach-leave").classList.toggle("main-action", !missing.length);
  drawQuestion(names);
  drawFaces();
}

function drawQuestion(names) {
  const { asked } = state;
  const region = byId("teach-asked");
  const active = document.activeElement;
  const lost = active === document.body; // a part of the page that had the focus went away
  const held = lost || region.contains(active) || active === byId("teach-now");
  if (!asked) {
    region.hidden = true;
    delete byId("teach-likely").dataset.key;
    if (held) byId("teach-now").focus();
    return;
  }
  const key = [asked.throw, asked.find, asked.choices];
  region.hidden = false;
  const [guess, ...others] = asked.choices;
  const button = (face, text, more = {}) =>
    el("button", { type: "button", onclick: () => answer(face), ...more }, text);
  const fresh = rebuild(byId("teach-likely"), key, () => [
    button(guess, t("teach.yes", { face: names[guess] }), { class: "main-action large", id: "teach-yes" }),
    ...others.slice(0, LIKELY).map((face) => button(face, names[face], { class: "large" })),
  ]);
  if (!fresh) {
    if (lost) byId("teach-yes").focus();
    return;
  }
  rebuild(byId("teach-others"), key, () => others.slice(LIKELY).map((face) => button(face, names[face])));
  byId("teach-or").hidden = others.length <= LIKELY;
  setText(byId("teach-question"), t(asked.lies_on ? "teach.lies_on" : "teach.shows", { face: names[guess] }));
  byId("teach-crop").src = path(`find/${asked.throw}-${asked.find}.jpg`);
  drawn = performance.now();
  if (held) byId("teach-yes").focus();
}

/** The picture of all faces: each fills with its crop once somebody has named it. */
function drawFaces() {
  rebuild(byId("teach-faces"), [state.dice, state.faces], () => state.faces.map(({ text, looks }, n) =>
    el("li", {}, el("figure", {},
      looks ? el("img", { src: `${path(`face/${n}.jpg`)}?n=${looks}`, alt: "", width: 64, height: 64 })
        : el("span", { class: "face-missing", role: "img", "aria-label": t("teach.not_yet") }, "?"),
      el("figcaption", {}, text)))));
}

function answer(face) {
  if (!state?.asked || performance.now() - drawn < SETTLE) return;
  act("answer", { throw: state.asked.throw, find: state.asked.find, face });
}

byId("teach-begin")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(await act("begin", { dice: event.target.elements.dice.value }))) return;
  byId("teach-now").focus();
  look();
});
byId("teach-nothing")?.addEventListener("click", () => answer(null));
byId("teach-back")?.addEventListener("click", () => act("back"));
byId("teach-all")?.addEventListener("click", () => act("all"));
byId("teach-leave")?.addEventListener("click", async () => {
  const done = state && state.faces.every((face) => face.looks);
  if (await act("leave")) location.assign(done ? `${BASE}/new` : `${BASE}/owner/dice`);
});

await opened(() => byId("teaching") && look());
