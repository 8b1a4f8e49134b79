/** What a screen reader says when an answer is complete. */

import { errorText } from "./error_text.js";
import { plainText } from "./markdown.js";
import type { Message } from "./message.js";
import type { Words } from "./words.js";

/** Return an answer as plain text: its error, what was taken back, what it asks, or what it says. */
export function announcementOf({ error, role, changes, confirmation, text }: Message, words: Words): string {
  if (error) return errorText(error, words);
  if (role === "system") return words.say("undone_names", { names: changes.map((change) => change.name).join(", ") });
  if (confirmation) return words.say("confirm_needed", { question: plainText(confirmation.question) });
  return plainText(text);
}
