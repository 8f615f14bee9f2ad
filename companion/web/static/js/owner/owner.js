/**
 * The owner's pages: forms and buttons that send JSON, pictures every few seconds, deletion after a second question.
 */

import { askInDialog } from "../page/dialog.js";
import { BASE, byId, el } from "../page/dom.js";
import { opened } from "../page/opening.js";
import { attempt, command, download, sendJson, takeAway } from "../page/server.js";
import { say, t } from "../page/texts.js";

const PREVIEW_EVERY = 2000; // milliseconds
const PREVIEW_LASTS = 60000;
// milliseconds in which a new question takes no answer: the second tap of two is meant for the last one
const SETTLE = 300;

/** Send a request and show its result; null if it is refused. */
function order(path, body, then) {
  byId("said").textContent = "";
  return attempt(async () => {
    const answer = await sendJson(path, body);
    if (then === "reload") location.reload();
    else if (then) location.assign(then);
    byId("said").textContent = answer.sentence ? say(answer.sentence) : "";
    return answer;
  }, byId("wrong"));
}

const KINDS = { number: Number, flag: (value) => value === "true", "text-or-none": (value) => value || null };

/**
 * The values of a form: each field under its name, in the kind that it names; a choice of nothing is null, and boxes of
 * one name are the list of the numbers that are ticked.
 */
function filledIn(form) {
  const ticked = (name) => [...form.querySelectorAll(`[name=${name}]:checked`)].map((box) => Number(box.value));
  return Object.fromEntries([...form.elements].filter((field) => field.name).map((field) => {
    if (field.type === "checkbox") return [field.name, ticked(field.name)];
    const kind = KINDS[field.dataset.kind] ?? (field.type === "number" ? Number : String);
    return [field.name, field.selectedOptions?.[0]?.hasAttribute("data-none") ? null : kind(field.value)];
  }));
}

/** Ask before an action that cannot be undone; the checkbox `sure`, if given, must be ticked. */
function question({ heading, lines, sure = "", go }, then) {
  const tick = sure && el("label", { class: "tick" }, el("input", { type: "checkbox", required: true }),
    el("span", {}, sure));
  askInDialog(byId("confirm"), heading, [lines.map((line) => el("p", {}, line)), tick || null], () => void then(),
    { go, careful: true });
}

for (const form of document.querySelectorAll("form[data-send]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await order(form.dataset.send, filledIn(form), form.dataset.then);
    if (answer?.advice) byId(form.dataset.list).replaceChildren(...answer.advice.map((one) => el("li", {}, say(one))));
  });
}

for (const button of document.querySelectorAll("button[data-send]")) {
  button.addEventListener("click", () => {
    if ("settle" in button.dataset && performance.now() < SETTLE) return;
    const go = () => order(button.dataset.send, JSON.parse(button.dataset.body ?? "{}"), button.dataset.then);
    if (!button.dataset.confirm) go();
    else question({ heading: button.textContent, lines: [button.dataset.confirm], go: button.textContent }, go);
  });
}

for (const button of document.querySelectorAll(".preview")) {
  const shown = button.textContent;
  const place = button.closest(".part").querySelector(".preview-here");
  const picture = place.querySelector("img");
  let timer = 0;
  const look = () => {
    if (!document.hidden) picture.src = `${button.dataset.picture}?${Date.now()}`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    place.hidden = true;
    picture.removeAttribute("src");
    button.textContent = shown;
    button.setAttribute("aria-expanded", "false");
  };
  button.addEventListener("click", () => {
    if (timer) {
      stop();
      return;
    }
    look();
    timer = setInterval(look, PREVIEW_EVERY);
    setTimeout(() => timer && stop(), PREVIEW_LASTS);
    place.hidden = false;
    button.textContent = button.dataset.stop;
    button.setAttribute("aria-expanded", "true");
  });
}

byId("owner-matches")?.addEventListener("click", (event) => attempt(async () => {
  const row = event.target.closest(".match");
  if (!row) return;
  const { match, hash, name, events } = row.dataset;
  if (event.target.matches(".resume")) {
    await command("resume", { match: Number(match) });
    location.assign(`${BASE}/`);
  } else if (event.target.matches(".take-away")) {
    await takeAway(match);
  } else if (event.target.matches(".delete")) {
    question({
      heading: t("owner.matches.delete_heading", { name }),
      lines: [t("owner.matches.delete_lost", { count: Number(events) }), t("owner.matches.delete_copy")],
      sure: t("owner.matches.delete_sure"),
      go: t("owner.matches.delete_do"),
    }, async () => {
      const answer = await order(`${BASE}/api/command/delete_match`, { match: Number(match), last_hash: hash });
      if (!answer) return;
      row.remove();
      byId("owner-heading").focus();
    });
  }
}));

byId("languages-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const ticked = [...form.querySelectorAll("input[name=language]:checked")].map((box) => box.value);
  const first = form.elements.first.value;
  const chosen = ticked.includes(first) ? [first, ...ticked.filter((code) => code !== first)] : ticked;
  if (chosen.length) order(`${BASE}/api/owner/settings`, { languages: chosen });
  else byId("wrong").textContent = t("owner.languages.none");
});

byId("privacy-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  order(`${BASE}/api/owner/settings`,
    { pictures: { keep: form.elements.keep.value, days: Number(form.elements.days.value) } });
});

byId("pin-change")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const { old, pin, again } = Object.fromEntries(new FormData(form));
  if (pin !== again) {
    byId("wrong").textContent = t("owner.pin.differ");
    return;
  }
  const answer = await order(`${BASE}/api/owner/pin`, old === undefined ? { pin } : { pin, old });
  if (!answer) return;
  form.reset();
  byId("said").textContent = t("owner.pin.kept");
});

byId("diagnostics-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const pictures = event.target.elements.pictures.checked ? "?pictures=yes" : "";
  await attempt(() => download(`${BASE}/api/owner/diagnostics.zip${pictures}`, "alea-diagnostics.zip"), byId("wrong"));
});

await opened();
document.querySelector("main [autofocus]")?.focus(); // the browser could not: it was hidden until now
