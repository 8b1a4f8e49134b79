/** What the user has set in the panel, kept in the browser. */

import { recall, remember } from "./store.js";

export type Theme = "midnight" | "light" | "system";

export interface Preferences {
  theme: Theme;
  /** `provider/model`, or empty for the usual one. */
  model: string;
  isReadAloud: boolean;
  /** The URI of the browser's voice, or empty. */
  voice: string;
  /** The voice of spoken conversations, or empty for the deployment's. */
  callVoice: string;
  /** Whether a message is answered with a plan of its steps, to be agreed to as a whole. */
  isPlanning: boolean;
}

/** Return what was kept; the defaults on a first visit. */
export function recallPreferences(): Preferences {
  return {
    theme: (recall("theme") as Theme | null) ?? "midnight",
    model: recall("model") ?? "",
    isReadAloud: recall("aloud") === "yes",
    voice: recall("voice") ?? "",
    callVoice: recall("call_voice") ?? "",
    isPlanning: recall("plan") === "yes",
  };
}

export function keepPreferences(preferences: Preferences): void {
  remember("theme", preferences.theme);
  remember("model", preferences.model || null);
  remember("aloud", preferences.isReadAloud ? "yes" : null);
  remember("voice", preferences.voice || null);
  remember("call_voice", preferences.callVoice || null);
  remember("plan", preferences.isPlanning ? "yes" : null);
}
