/** Talking to the laboratory: its commands and other requests. */

import { BASE } from "../page/dom.js";
import { loadSetup, notice, Refused, send } from "../page/server.js";

/** Load the dice and the texts that this page's scripts use. */
export const loadLaboratory = () => loadSetup(`${BASE}/lab/api/setup`);

/** Send the laboratory a command; returns {ok, sentence, data} or throws Refused. */
export async function order(name, data = {}) {
  return (await send(`${BASE}/lab/api/command/${name}`, "application/json", JSON.stringify(data))).json();
}

/** Send a command and show its refusal as a notice; returns null if refused. */
export async function tryOrder(name, data = {}) {
  try {
    return await order(name, data);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice(error.message);
    return null;
  }
}

export const picture = (name) => `${BASE}/lab/picture/${name}.jpg`;
