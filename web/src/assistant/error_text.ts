/** An error in words, with what to do about it. */

import type { ApiError } from "../api/index.js";
import type { Words } from "./words.js";

/** The API explains these to the user itself, better than the status alone can. */
const EXPLAINED = new Set([402, 403, 409, 410, 413, 422, 501]);

/** Return the words for an error: what went wrong, then what the API says about this case. */
export function errorText(error: ApiError, words: Words): string {
  const general =
    words.named("error_", error.code, "") ||
    words.named("error_", String(error.status), "") ||
    words.say(error.status >= 500 ? "error_500" : "error_failed");
  if (!EXPLAINED.has(error.status) || !error.message) return general;
  const suggestion = typeof error.problem.suggestion === "string" ? error.problem.suggestion : "";
  return [error.message, suggestion || general].filter(Boolean).join(" ");
}
