/**
 * The greeting of players who are invited to this table. It asks now and then, because nothing else changes with it.
 */

import { BASE, byId, setText } from "./dom.js";

const EVERY = 3000; // ms

async function look() {
  try {
    const response = await fetch(`${BASE}/api/invitation`, { cache: "no-store" });
    const { text, go } = await response.json();
    byId("invited").hidden = !text;
    setText(byId("invited-text"), text);
    if (go) byId("invited-go").href = go;
  } catch {
    // the table does not answer: the page says so elsewhere
  }
  setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
