/**
 * Measuring the lens on the page: somebody holds up the sheet, the page takes pictures, and shows where the sheet was.
 */

import { BASE, byId, setText, svg } from "../page/dom.js";
import { sendJson } from "../page/server.js";
import { say, t } from "../page/texts.js";

const EVERY = 350; // ms between two checks

/** `open(there)` is called when the page begins or ends measuring the lens; `announce(sentence)` shows what to do. */
export class LensStep {
  #open;
  #announce;
  #session = null;
  #looks = 0; // ends the looks of an abandoned measurement

  constructor({ open, announce }) {
    [this.#open, this.#announce] = [open, announce];
    byId("lens-begin").addEventListener("click", () => this.#begin(false));
    byId("lens-over").addEventListener("click", () => this.#begin(true));
    byId("lens-measure").addEventListener("click", () => this.#measure());
    byId("lens-leave").addEventListener("click", () => {
      this.leave();
      open(false);
    });
  }

  #act(name, data = {}) {
    return sendJson(`${BASE}/api/calibration/lens-${name}`,
      { ...(this.#session ? { session: this.#session } : {}), ...data });
  }

  async #begin(over) {
    setText(byId("wrong"), "");
    try {
      const answer = await this.#act("begin", { over });
      this.#session = answer.session;
      byId("lens-over").hidden = true;
      setText(byId("lens-result"), "");
      this.#open(true);
      this.#show(answer);
      this.#look();
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #look() {
    this.#looks += 1;
    const mine = this.#looks;
    while (this.#session && mine === this.#looks) {
      try {
        if (!document.hidden) {
          const answer = await this.#act("look");
          if (mine !== this.#looks || !this.#session) return;
          this.#show(answer);
        }
        setText(byId("wrong"), "");
      } catch (error) {
        this.#refuse(error);
        if (error.body?.kind === "over") return;
      }
      await new Promise((go) => setTimeout(go, EVERY));
    }
  }

  async #measure() {
    this.#looks += 1; // the looks end
    byId("lens-measure").disabled = true;
    document.body.setAttribute("aria-busy", "true");
    try {
      const answer = await this.#act("measure");
      this.#show(answer);
      setText(byId("lens-result"), say(answer.said));
      byId("lens-result").dataset.grade = answer.grade;
      const good = answer.grade !== "poor";
      byId("lens-known").hidden = !good;
      byId("lens-use").checked = good;
      byId("lens-hint").hidden = good;
      byId("lens-leave").focus();
    } catch (error) {
      this.#refuse(error);
      this.#look();
    } finally {
      document.body.removeAttribute("aria-busy");
    }
  }

  #refuse(error) {
    setText(byId("wrong"), error.body?.sentence ? say(error.body.sentence) : error.message);
    if (error.body?.kind === "busy") {
      this.#open(true);
      byId("lens-over").hidden = false;
    }
    if (error.body?.kind === "over") this.#session = null;
  }

  #show(answer) {
    this.#announce(say(answer.said));
    setText(byId("lens-count"), t("lens.count", { taken: answer.count, enough: answer.enough }));
    setText(byId("lens-cover-said"), t("lens.cover", { share: Math.round(answer.cover * 100) }));
    byId("lens-cover").value = answer.cover;
    byId("lens-measure").disabled = !answer.ready;
    document.body.dataset.poses = answer.count;
    if (!answer.size) return;
    const path = (points) => `M${points.map((point) => point.join(" ")).join("L")}Z`;
    byId("poses").hidden = false;
    byId("poses").replaceChildren(
      svg("svg", { viewBox: `0 0 ${answer.size[0]} ${answer.size[1]}`, preserveAspectRatio: "none" },
        answer.poses.map((points) => svg("path", { class: "pose", d: path(points) })),
        answer.seen && svg("path", { class: "pose-now", d: path(answer.seen) })));
  }

  leave() {
    if (this.#session) {
      const body = JSON.stringify({ session: this.#session });
      fetch(`${BASE}/api/calibration/lens-leave`,
        { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }).catch(() => {});
    }
    this.#session = null;
    byId("poses").hidden = true;
    byId("poses").replaceChildren();
    setText(byId("wrong"), "");
  }
}
