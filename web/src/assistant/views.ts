/** What the panel shows on demand, in a file of its own: the conversations, the settings and a spoken conversation. */

import "./history.js";
import texts from "./locales/en.views.json";
import "./settings.js";
import "./voice.js";
import { addEnglish } from "./words.js";

addEnglish(texts);
