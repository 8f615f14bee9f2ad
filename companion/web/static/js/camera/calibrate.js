/** The page that guides through the calibration of a board; the table holds the steps, this script shows them. */

import { CornerEditor } from "./corners.js";
import { BASE, byId, el, setText } from "../page/dom.js";
import { LensStep } from "./lens.js";
import { opened } from "../page/opening.js";
import { ask, sendJson } from "../page/server.js";
import { say, t } from "../page/texts.js";

const LIVE_EVERY = 700; // ms between two live pictures
const LIVE = ["picture", "lens", "colours"]; // the stages that show the live picture
const PANEL = { picture: "picture", corners: "outline", confirm: "outline", colours: "colours", name: "name",
  done: "name" };

/** What this page keeps from one step to the next. @type {Record<string, any>} */
const going = {
  answer: null, // the last answer of the table
  stage: "picture",
  url: "", // of the shown picture
  showing: 0, // the number of the shown picture of the calibration, 0 for the live one
  touched: false, // somebody has moved a corner
  sent: 0, // the number of moves when the last corners were sent
  last: Promise.resolve(), // requests go one after the other
  looking: false,
};

const editor = byId("outline") && new CornerEditor(byId("outline"), (corners) => {
  going.touched = true;
  return act("corners", { corners });
});

/** Do a step; show its answer or its refusal. */
function act(name, data = {}) {
  const turn = going.last.then(() => request(name, data));
  going.last = turn.catch(() => {});
  return turn;
}

async function request(name, data) {
  setText(byId("wrong"), "");
  going.sent = editor.moves;
  document.body.setAttribute("aria-busy", "true");
  try {
    const session = going.answer?.session ? { session: going.answer.session } : {};
    const answer = await sendJson(`${BASE}/api/calibration/${name}`, { ...session, ...data });
    await show(answer, name);
    return answer;
  } catch (error) {
    refuse(error, name);
    return null;
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

function refuse(error, name) {
  setText(byId("wrong"), error.body?.sentence ? say(error.body.sentence) : error.message);
  byId("wrong").scrollIntoView({ block: "nearest" });
  const kind = error.body?.kind;
  byId("take-over").hidden = kind !== "busy";
  byId("sure").hidden = kind !== "changed";
  byId("replace").hidden = kind !== "taken";
  if (kind === "over" && name !== "begin") {
    going.answer = null;
    restart();
  }
}

function restart() {
  going.stage = "picture";
  going.showing = 0;
  editor.forget();
  byId("outline").hidden = true;
  byId("quality").hidden = true;
  byId("notes").replaceChildren();
  setText(byId("said"), byId("said").dataset.first);
  panel("picture");
  document.body.dataset.step = going.stage;
  live();
}

async function show(answer, name) {
  going.answer = answer;
  const { step, sentence, missing } = answer.progress;
  const before = going.stage;
  going.stage = name === "save" ? "done" : step;
  setText(byId("said"), say(sentence));
  const held = (answer.held ?? []).map((one) => one.sentence);
  const notes = [...missing, answer.doubt, ...(answer.notes ?? []),
    ...(going.stage === "done" ? [] : held)].filter(Boolean);
  byId("notes").replaceChildren(...notes.map((one) => el("li", {}, say(one))));
  byId("sure").hidden = true;
  if (going.stage === "corners" || going.stage === "confirm") await outline(name);
  else byId("outline").hidden = true;
  quality(answer.quality);
  byId("take-over").hidden = true;
  byId("replace").hidden = true;
  panel(going.stage === "done" ? "done" : PANEL[going.stage]);
  if (going.stage === "colours") live();
  if (going.stage === "name") await naming(before);
  if (going.stage === "done") await done();
  const moved = PANEL[before] !== PANEL[going.stage] || (before !== "done" && going.stage === "done");
  if (moved) byId("said").focus({ preventScroll: true });
  if (moved) byId("said").scrollIntoView({ block: "nearest" });
  document.body.dataset.step = going.stage;
}

function panel(name) {
  for (const part of document.querySelectorAll(".panel [data-step]")) part.hidden = part.dataset.step !== name;
  byId("lead").hidden = name !== "picture";
}

/** Show the picture that was taken, with the known outline or one to drag. */
async function outline(name) {
  const fresh = going.answer.picture !== going.showing || name === "begin" || name === "picture";
  if (fresh) {
    going.touched = false;
    editor.forget();
    await taken();
  }
  editor.show(going.answer, going.url,
    { refused: going.answer.progress.step === "corners" && (going.touched || going.answer.corners), of: going.sent });
  byId("outline").hidden = false;
  setText(byId("how"), going.answer.corners ? t(`calibrate.how_${going.answer.how}`)
    : going.touched ? "" : t("calibrate.corners_none"));
  byId("agree").disabled = going.stage !== "confirm"; // an outline without a board cannot be confirmed
}

async function taken() {
  const response = await ask(`${BASE}/api/calibration/picture.jpg?session=${encodeURIComponent(going.answer.session)}`);
  put(await response.blob(), t("calibrate.picture_taken"));
  going.showing = going.answer.picture;
}

function put(blob, words) {
  const image = byId("shown");
  const before = going.url;
  going.url = URL.createObjectURL(blob);
  image.onload = () => {
    byId("frame").style.setProperty("--shape", image.naturalWidth / image.naturalHeight);
    if (before) URL.revokeObjectURL(before);
  };
  image.src = going.url;
  image.alt = words;
  byId("frame").hidden = false;
  byId("waits").hidden = true;
}

function quality(judged) {
  byId("quality").hidden = !judged;
  if (!judged) return;
  grade(byId("grade"), judged.grade);
  byId("figures").replaceChildren(...judged.figures.map((figure) =>
    el("li", {}, grade(el("span", { class: "grade" }), figure.grade), el("span", {}, say(figure.sentence)))));
}

function grade(node, word) {
  node.dataset.grade = word;
  setText(node, t(`calibrate.grade_${word}`));
  return node;
}

async function naming(before) {
  if (before !== "name") byId("name").value = going.answer.suggestion;
  const sides = Object.entries(going.answer.learnt).filter(([side]) => side !== "empty").map(([, places]) => places);
  setText(byId("learnt"), sides.length === 2 ? t("calibrate.learnt", { light: sides[0], dark: sides[1] }) : "");
  await taken();
}

async function done() {
  setText(byId("used"), say(going.answer.said));
  setText(byId("taps"), t("calibrate.taps", { count: going.answer.taps }));
  setText(byId("kept"), t("calibrate.kept", { name: going.answer.name }));
  const next = byId("next");
  next.href = going.answer.match ? `${BASE}/`
    : going.answer.game ? `${BASE}/new?game=${encodeURIComponent(going.answer.game)}` : `${BASE}/new`;
  setText(next, t(going.answer.match ? "calibrate.to_match" : "calibrate.new_match"));
  await taken();
}

/** Show what the camera sees until a picture is taken. */
async function live() {
  if (going.looking) return;
  going.looking = true;
  while (LIVE.includes(going.stage)) {
    try {
      if (!document.hidden) await look();
    } catch (error) {
      setText(byId("waits"), error.message);
      byId("waits").hidden = false;
      if (error.status === 401) break; // the page asked for the PIN once; the button asks again
    }
    await new Promise((go) => setTimeout(go, LIVE_EVERY));
  }
  going.looking = false;
}

async function look() {
  const response = await ask(`${BASE}/api/calibration/live.jpg`);
  if (response.headers.get("Content-Type") === "image/jpeg") {
    const blob = await response.blob();
    if (LIVE.includes(going.stage)) put(blob, t("calibrate.picture_live"));
    return;
  }
  const { sentence } = await response.json();
  setText(byId("waits"), say(sentence));
  byId("waits").hidden = false;
}

function chosen(name) {
  return document.querySelector(`#choose input[name=${name}]:checked`).value;
}

const ticked = (id) => Boolean(byId(id)?.checked) && !byId(id).closest("[hidden]");

const begin = (over) =>
  act("begin", { board: chosen("board"), kit: chosen("made") === "kit", over, hold: ticked("hold"),
    lens: ticked("lens-use") });

/** Switch to measuring the lens, or back from it to the choice of the board. */
function atLens(there) {
  if (there) {
    leave();
    going.stage = "lens";
  } else restart();
  panel(going.stage);
  document.body.dataset.step = going.stage;
  if (there) live();
  byId("said").focus({ preventScroll: true });
}

function start() {
  byId("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    if (going.answer && going.stage === "picture") act("picture"); // the first picture was not good enough
    else begin(false);
  });
  byId("choose").addEventListener("change", leave); // another board needs another calibration
  byId("take-over").addEventListener("click", () => begin(true));
  byId("again").addEventListener("click", () => act("picture"));
  byId("turn").addEventListener("click", () => editor.turn());
  byId("agree").addEventListener("click", () => going.last.then(() => act("confirm", { corners: editor.corners })));
  byId("sure").addEventListener("click",
    () => going.last.then(() => act("confirm", { corners: editor.corners, sure: true })));
  const lens = new LensStep({ open: atLens, announce: (words) => setText(byId("said"), words) });
  window.addEventListener("pagehide", () => lens.leave());
  byId("look").addEventListener("click", () => act("start"));
  byId("skip").addEventListener("click", () => act("skip"));
  byId("naming").addEventListener("submit", (event) => {
    event.preventDefault();
    act("save", { name: byId("name").value.trim() });
  });
  byId("replace").addEventListener("click", () => act("save", { name: byId("name").value.trim(), replace: true }));
  window.addEventListener("pagehide", leave);
  // leaving the page ended the calibration
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());
  panel("picture");
  document.body.dataset.step = "picture";
  live();
}

/** Make the table forget the calibration and its picture. */
function leave() {
  if (!going.answer?.session) return;
  const body = JSON.stringify({ session: going.answer.session });
  going.answer = null;
  fetch(`${BASE}/api/calibration/leave`,
    { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }).catch(() => {});
}

await opened(() => editor && start());
