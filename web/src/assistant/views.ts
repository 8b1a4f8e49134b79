/** What the panel shows on demand, in a file of its own: the conversations and the settings. */

import "./history.js";
import "./settings.js";
