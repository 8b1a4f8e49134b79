/** What the panel needs after its first text, in a file of its own: suggestions, conversations, settings, voice. */

import "./feedback.js";
import "./history.js";
import texts from "./locales/en.views.json";
import "./settings.js";
import "./suggestions.js";
import "./voice.js";
import { addEnglish } from "./words.js";

export { Speech } from "./speech.js";

addEnglish(texts);
