/** What the panel shows after its first text, in a file of its own: suggestions, conversations, settings, calls. */

import "./history.js";
import texts from "./locales/en.views.json";
import "./settings.js";
import "./suggestions.js";
import "./voice.js";
import { addEnglish } from "./words.js";

addEnglish(texts);
