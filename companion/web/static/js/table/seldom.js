/** What most tables do not need at first: its modules load when a state or a person needs them. */

import { spun } from "./dice_now.js";
import { byId } from "../page/dom.js";
import { notice } from "../page/server.js";
import { t } from "../page/texts.js";

/** Regions in drawing order: when a state needs one, its module, and the name of the module's function. */
const REGIONS = [
  { needed: ({ camera }) => camera.source !== null || (camera.picture ?? null) !== null,
    load: () => import("./beside.js"), name: "showBeside" },
  { needed: ({ camera }) => (camera.picture ?? null) !== null, load: () => import("../board/outlines.js"),
    name: "showOutlines" },
  { needed: ({ ask }) => ask, load: () => import("./ask.js"), name: "showAsk" },
  { needed: ({ awaits }) => awaits?.kind === "choice", load: () => import("./choices.js"), name: "showChoices" },
  { needed: ({ outcome }) => outcome, load: () => import("./outcome.js"), name: "showOutcome" },
  { needed: ({ board, watch }) => board || watch?.ask, load: () => import("../board/men.js"), name: "showMen" },
  { needed: ({ ludix }) => ludix, load: () => import("./ludix.js"), name: "showLudix" },
  { needed: spun, load: () => import("./wheel.js"), name: "showWheel" },
  { needed: ({ match }) => match && byId("seats-fold")?.open, load: () => import("./seats.js"), name: "showSeats" },
  { needed: ({ lights }) => lights, load: () => import("../board/lights.js"), name: "showLights" },
  { needed: () => byId("curve-fold").open, load: () => import("./curve.js"), name: "showCurve" },
];
const DIALOGS = { askInDialog: () => import("../page/dialog.js"), openCorrection: () => import("./correct.js"),
  openDispute: () => import("./dispute.js"), openHelp: () => import("./help.js"), undo: () => import("./undo.js") };

async function load(region) {
  region.show ??= (await region.load())[region.name];
}

/** Whether everything that a state needs is loaded. @param {State} state */
export const complete = (state, page) => REGIONS.every(({ show, needed }) => show || !needed(state, page));

/** Load what a state needs; after a failure show a notice, and try again with the next state. @param {State} state */
export async function complement(state, page) {
  const needed = REGIONS.filter((region) => !region.show && region.needed(state, page));
  await Promise.all(needed.map(load)).catch(() => notice(t("errors.unreachable")));
}

/**
 * Show every loaded region; an unloaded one has never been shown, and the page came with it hidden.
 * @param {State} state @param {TablePage} page
 */
export function showSeldom(state, page) {
  for (const { show } of REGIONS) show?.(state, page);
}

/** Open a dialog by the name of its function. */
export async function open(name, ...about) {
  const module = await DIALOGS[name]().catch(() => null);
  if (module) module[name](...about);
  else notice(t("errors.unreachable"));
}
