/** The parts of the page that are folded until somebody wants them: this browser remembers which it unfolded. */

import { byId } from "../page/dom.js";

const FOLDS = ["curve-fold", "log-fold"];
const KEY = "alea.unfolded";

export function startFolds() {
  const open = new Set(read());
  for (const name of FOLDS) {
    const fold = byId(name);
    fold.open = open.has(name);
    fold.addEventListener("toggle", () => {
      open[fold.open ? "add" : "delete"](name);
      keep([...open]);
    });
  }
}

function read() {
  try {
    return (localStorage.getItem(KEY) ?? "").split(" ");
  } catch {
    return [];
  }
}

function keep(names) {
  try {
    localStorage.setItem(KEY, names.join(" "));
  } catch {
    /* then they are folded next time */
  }
}
