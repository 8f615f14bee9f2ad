/** Talking to the laboratory: its commands and other requests. */

import { BASE } from "../page/dom.js";
import { attempt, loadSetup, sendJson } from "../page/server.js";

/** Load the dice and the texts that this page's scripts use. */
export const loadLaboratory = () => loadSetup(`${BASE}/lab/api/setup`);

/** Send the laboratory a command; returns {ok, sentence, data} or throws Refused. */
export const order = (name, data = {}) => sendJson(`${BASE}/lab/api/command/${name}`, data);

/** Send a command and show its refusal as a notice; returns null if refused. */
export const tryOrder = (name, data = {}) => attempt(() => order(name, data));

export const picture = (name) => `${BASE}/lab/picture/${name}.jpg`;
