/** What is recorded for the analytics beside the turns, which the API records itself. */

import type { Api, components } from "../api/index.js";

type Command = components["schemas"]["CommandBody"];

/** Record a command; one that can't be recorded is no concern of the user. */
export async function recordCommand({ rest }: Api, body: Command): Promise<void> {
  await rest.POST("/api/ai/analytics", { body }).catch(() => undefined);
}

/** Return what a reading aloud is recorded as: `ttsMs` until the first sound. */
export const readAloud = (ttsMs: number): Command => ({
  commandName: "read_aloud",
  commandType: "voice",
  success: true,
  executionTimeMs: ttsMs,
  timing: { ttsMs },
});

/** Return what the user's rating of an answer is recorded as; null for a bad one whose reason is still to come. */
export function rated(rating: "up" | "down", reason?: string): Command | null {
  if (rating === "down" && !reason) return null;
  return {
    commandName: "answer_feedback",
    commandType: "feedback",
    success: rating === "up",
    executionTimeMs: 0,
    errorMessage: reason,
  };
}
