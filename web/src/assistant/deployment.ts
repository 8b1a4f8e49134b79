/** What the panel knows about the deployment that it talks to. */

import type { ReactiveControllerHost } from "lit";
import { dataOf, type Api } from "../api/index.js";

export class Deployment {
  /** The tenant's name for its assistant. */
  assistantName = "AiSHA";
  /** The offline planner reads English alone. */
  isEnglishOnly = false;
  /** The voices of spoken conversations, none where the deployment has none. */
  voices: readonly string[] = [];

  constructor(private readonly panel: ReactiveControllerHost) {}

  /** Ask for all of it, for the name only where the page gives none. What has no answer stays as it is. */
  async ask({ rest }: Api, isUnnamed: boolean): Promise<void> {
    const [profile, models] = await Promise.all([
      isUnnamed ? dataOf(rest.GET("/api/ai/profile")).catch(() => null) : null,
      dataOf(rest.GET("/api/ai/models")).catch(() => null),
    ]);
    if (profile?.assistantName) this.assistantName = profile.assistantName;
    this.isEnglishOnly = models?.providers[0]?.id === "offline";
    this.voices = "RTCPeerConnection" in globalThis ? (models?.realtimeVoices ?? []) : [];
    this.panel.requestUpdate();
  }
}
