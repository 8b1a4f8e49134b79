/** What every view of the desk shares: the API, the feed of changes, the signed-in user, the way to the assistant. */

import type { Api, components } from "../api/index.js";
import type { Feed } from "./feed.js";
import type { Value } from "./records.js";
import { say } from "./words.js";

export type Profile = components["schemas"]["Profile"];

export interface Desk {
  api: Api;
  feed: Feed;
  profile: Profile;
  /** Send a sentence to the assistant beside the page, as if the user had written it. */
  ask(text: string): void;
  /** Tell the assistant that a change of these records was taken back beside it. */
  takenBack(ids: readonly string[]): void;
  /** Show a page, such as `leads/lead_01…`. */
  go(path: string): void;
  /** Tell the user something in a line that goes away by itself. */
  tell(text: string, isError?: boolean): void;
}

/** Return the tenant's stages of deals, in their order. */
export function stagesOf(desk: Desk): readonly Value[] {
  return desk.profile.values["opportunity.stage"] ?? [];
}

/** Return the words for an error: the API's own, or what to do. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return say("error_unknown");
  if (error.message) return error.message;
  const { status, code } = error as { status?: number; code?: string };
  if (code === "offline") return say("error_offline");
  if (status === 0) return say("error_no_answer");
  if (status === 401) return say("error_signed_out");
  return say("error_server");
}
