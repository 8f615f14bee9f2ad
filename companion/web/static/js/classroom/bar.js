/** The line about the class above the table: it asks now and then, because nothing else changes with it. */

import { BASE, byId, setText } from "../page/dom.js";

const EVERY = 3000; // ms

function show({ open, part, text, here, lesson }) {
  if (!open) {
    location.reload(); // the class is over, and the page is as without one
    return;
  }
  setText(byId("class-text"), text);
  setText(byId("class-here"), here);
  const link = byId("class-lesson");
  link.hidden = !lesson;
  if (lesson) {
    setText(link, lesson.text);
    link.href = `${BASE}/${lesson.address}`;
  }
  byId("class-join").hidden = part !== "guest";
  byId("class-leave").hidden = !["plays", "watches"].includes(part);
  for (const id of ["class-open", "class-scan"]) byId(id).hidden = part !== "owner";
  if (document.body.dataset.part === part) return;
  document.body.dataset.part = part;
  document.dispatchEvent(new CustomEvent("alea:part"));
}

async function look() {
  try {
    const response = await fetch(`${BASE}/api/classroom`, { cache: "no-store" });
    if (response.ok) show(await response.json());
  } catch {
    // the table does not answer: the page says so elsewhere
  }
}

async function follow() {
  if (!document.hidden) await look();
  setTimeout(follow, EVERY);
}

byId("class-leave").addEventListener("click", async () => {
  await fetch(`${BASE}/api/classroom/leave`,
    { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).catch(() => {});
  look();
});
document.addEventListener("visibilitychange", () => document.hidden || look());
setTimeout(follow, EVERY);
