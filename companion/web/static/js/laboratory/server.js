/** Talking to the laboratory: its commands, and what else it is asked for. */

import { ask, notice, Refused, send } from "../page/server.js";
import { useTexts } from "../page/texts.js";

/** Load the dice and the texts that this page's scripts use. */
export async function loadLaboratory() {
  const scripts = [...document.querySelectorAll("script[type=module][src]")].map(({ src }) => new URL(src).pathname.split("/js/")[1]);
  const setup = await (await ask(`/lab/api/setup?language=${document.documentElement.lang}&scripts=${scripts.join(",")}`)).json();
  useTexts(setup.texts);
  return setup;
}

/** Give the laboratory a command; answers {ok, sentence, data} or throws Refused. */
export async function order(name, data = {}) {
  return (await send(`/lab/api/command/${name}`, "application/json", JSON.stringify(data))).json();
}

/** Give a command and show its refusal as a notice; answers null when refused. */
export async function tryOrder(name, data = {}) {
  try {
    return await order(name, data);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice(error.message);
    return null;
  }
}

export const picture = (name) => `/lab/picture/${name}.jpg`;
