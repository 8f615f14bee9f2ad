/** The cameras of this computer with their live pictures: one at a time, and only while somebody looks. */

import { ask } from "../page/server.js";
import { BASE, setText } from "../page/dom.js";
import { say, t } from "../page/texts.js";

const EVERY = 500; // ms between a picture and the next; the table may take the camera in between
const buttons = [...document.querySelectorAll("[data-look]")];
let chosen = null; // the button whose camera shows

/** Let the buttons show and hide the pictures. */
export function startPreviews() {
  for (const button of buttons) {
    button.disabled = false;
    button.addEventListener("click", () => {
      show(chosen === button ? null : button);
      if (chosen) look(chosen);
    });
  }
}

/** Only the camera of this button shows; null: none. */
function show(button) {
  chosen = button;
  for (const one of buttons) {
    one.setAttribute("aria-pressed", String(one === button));
    if (one !== button) picture(one).hidden = true;
    setText(reason(one), "");
  }
}

const picture = (button) => document.getElementById(button.getAttribute("aria-controls"));
const reason = (button) => picture(button).previousElementSibling;

async function look(button) {
  while (chosen === button) {
    try {
      if (!document.hidden) await once(button);
    } catch (error) {
      show(null);
      setText(reason(button), error.message);
      return;
    }
    await new Promise((go) => setTimeout(go, EVERY));
  }
}

async function once(button) {
  const response = await ask(`${BASE}/api/cameras/${button.dataset.look}/live.jpg`);
  if (response.headers.get("Content-Type") !== "image/jpeg") {
    const { sentence } = await response.json();
    setText(reason(button), sentence ? say(sentence) : t("cameras.no_picture"));
    return;
  }
  const blob = await response.blob();
  if (chosen !== button) return;
  const image = picture(button);
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(blob);
  image.hidden = false;
  setText(reason(button), "");
}
