/** The worksheet of a match: its date in the reader's own way. */

import { opened } from "../page/opening.js";

await opened();
