/** The code that admits a telephone, and the telephone's state. */

import { BASE, byId, setText } from "../page/dom.js";
import { attempt, fetched, sendJson } from "../page/server.js";
import { listed, number, t } from "../page/texts.js";

const EVERY = 1000; // ms between two checks
const LIVE = 2; // seconds; an older picture is not live

let asked = false; // this page has requested a code

export function startTelephone() {
  byId("invite").addEventListener("click", () => act("invite"));
  byId("dismiss").addEventListener("click", () => act("dismiss"));
  follow();
}

/** Ask for a code, and show it; returns the address to which it leads, null if there is none. */
export async function invited() {
  byId("telephone").hidden = false;
  return (await act("invite"))?.address ?? null;
}

const act = (name) => attempt(async () => {
  const answer = await sendJson(`${BASE}/api/phone/${name}`);
  asked = name === "invite";
  show(await state());
  return answer;
}, byId("telephone-wrong"));

const state = () => fetched(`${BASE}/api/phone`);

async function follow() {
  for (;;) {
    try {
      if (!document.hidden && !byId("telephone").hidden) show(await state());
      setText(byId("telephone-wrong"), "");
    } catch (error) {
      setText(byId("telephone-wrong"), error.message);
      if (error.status === 401) return; // the page asked for the PIN once; the buttons ask again
    }
    await new Promise((go) => setTimeout(go, EVERY));
  }
}

function show(now) {
  const { code, sending, phones } = now;
  byId("code").hidden = !code;
  if (code) {
    const picture = byId("code-picture");
    if (picture.dataset.number !== String(code.number)) {
      picture.dataset.number = code.number;
      picture.src = `${BASE}/api/phone/code.svg?n=${code.number}`;
      picture.alt = t("phone.code_alt", { address: `${now.addresses[0]}phone` });
    }
    setText(byId("code-left"), t("phone.code_minutes", { count: Math.max(1, Math.ceil(code.seconds / 60)) }));
  }
  byId("invite").hidden = Boolean(code);
  byId("invite").classList.toggle("main-action", phones === 0); // with a phone the next step is another one
  byId("dismiss").hidden = phones === 0;
  const key = kind(now);
  const state = byId("telephone-state");
  state.setAttribute("aria-live", state.dataset.kind === key ? "off" : "polite"); // a screen reader speaks seconds once
  state.dataset.kind = key;
  setText(state, key && t(`phone.${key}`,
    sending ? { ago: number(sending.ago, 1), seconds: Math.round(sending.ago) } : {}));
  setText(byId("fingerprint"), (now.fingerprint ?? "").replaceAll(":", " ")); // lines break at spaces
  setText(byId("addresses"), now.addresses.length > 1
    ? t("phone.addresses", { addresses: listed(now.addresses.map((one) => `${one}phone`), "or") })
    : "");
  document.body.dataset.phones = phones;
}

function kind({ code, sending, phones }) {
  if (sending?.phone && sending.ago <= LIVE) return "live";
  if (sending?.phone && phones) return "silent";
  if (phones) return "known";
  if (code) return "waiting";
  return asked ? "code_gone" : "";
}
