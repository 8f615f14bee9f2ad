/** The worksheet of a match: a button that prints it, and its date in the reader's own way. */

import { byId } from "../page/dom.js";
import { opened } from "../page/opening.js";

byId("print")?.addEventListener("click", () => window.print());

await opened();
