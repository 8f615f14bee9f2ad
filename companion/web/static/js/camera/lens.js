/**
 * Measuring the lens on the page: somebody holds up the sheet, the page takes pictures, and shows where the sheet was.
 */

import { BASE, byId, setText, svg } from "../page/dom.js";
import { send } from "../page/server.js";
import { say, t } from "../page/texts.js";

const EVERY = 350; // ms between two looks

/**
 * `open(there)` is called when the page begins or ends measuring the lens; `said(sentence)` shows what to do.
 */
export function lensStep({ open, said }) {
  let session = null;
  let looks = 0; // ends the looks of an abandoned measurement

  async function act(name, data = {}) {
    const response = await send(`${BASE}/api/calibration/lens-${name}`, "application/json",
      JSON.stringify({ ...(session ? { session } : {}), ...data }));
    return response.json();
  }

  async function begin(over) {
    setText(byId("wrong"), "");
    try {
      const told = await act("begin", { over });
      session = told.session;
      byId("lens-over").hidden = true;
      setText(byId("lens-result"), "");
      open(true);
      show(told);
      look();
    } catch (error) {
      refuse(error);
    }
  }

  async function look() {
    looks += 1;
    const mine = looks;
    while (session && mine === looks) {
      try {
        if (!document.hidden) {
          const told = await act("look");
          if (mine !== looks || !session) return;
          show(told);
        }
        setText(byId("wrong"), "");
      } catch (error) {
        refuse(error);
        if (error.body?.kind === "over") return;
      }
      await new Promise((go) => setTimeout(go, EVERY));
    }
  }

  async function measure() {
    looks += 1; // the looks end
    byId("lens-measure").disabled = true;
    document.body.setAttribute("aria-busy", "true");
    try {
      const told = await act("measure");
      show(told);
      setText(byId("lens-result"), say(told.said));
      byId("lens-result").dataset.grade = told.grade;
      const good = told.grade !== "poor";
      byId("lens-known").hidden = !good;
      byId("lens-use").checked = good;
      byId("lens-hint").hidden = good;
      byId("lens-leave").focus();
    } catch (error) {
      refuse(error);
      look();
    } finally {
      document.body.removeAttribute("aria-busy");
    }
  }

  function refuse(error) {
    setText(byId("wrong"), error.body?.sentence ? say(error.body.sentence) : error.message);
    if (error.body?.kind === "busy") {
      open(true);
      byId("lens-over").hidden = false;
    }
    if (error.body?.kind === "over") session = null;
  }

  function show(told) {
    said(say(told.said));
    setText(byId("lens-count"), t("lens.count", { taken: told.count, enough: told.enough }));
    setText(byId("lens-cover-said"), t("lens.cover", { share: Math.round(told.cover * 100) }));
    byId("lens-cover").value = told.cover;
    byId("lens-measure").disabled = !told.ready;
    document.body.dataset.poses = told.count;
    if (!told.size) return;
    const path = (points) => `M${points.map((point) => point.join(" ")).join("L")}Z`;
    byId("poses").hidden = false;
    byId("poses").replaceChildren(
      svg("svg", { viewBox: `0 0 ${told.size[0]} ${told.size[1]}`, preserveAspectRatio: "none" },
        told.poses.map((points) => svg("path", { class: "pose", d: path(points) })),
        told.seen && svg("path", { class: "pose-now", d: path(told.seen) })));
  }

  function leave() {
    if (session) {
      const body = JSON.stringify({ session });
      fetch(`${BASE}/api/calibration/lens-leave`,
        { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }).catch(() => {});
    }
    session = null;
    byId("poses").hidden = true;
    byId("poses").replaceChildren();
    setText(byId("wrong"), "");
  }

  byId("lens-begin").addEventListener("click", () => begin(false));
  byId("lens-over").addEventListener("click", () => begin(true));
  byId("lens-measure").addEventListener("click", measure);
  byId("lens-leave").addEventListener("click", () => {
    leave();
    open(false);
  });
  return { leave };
}
