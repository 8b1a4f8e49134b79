/** What the panel needs after its first text: what stands below an answer, suggestions, history, settings, voice. */

import "./feedback.js";
import "./follow_ups.js";
import "./history.js";
import texts from "./locales/en.views.json";
import "./settings.js";
import "./sources.js";
import "./suggestions.js";
import "./voice.js";
import { addEnglish } from "./words.js";

export { Speech } from "./speech.js";

addEnglish(texts);
