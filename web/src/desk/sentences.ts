/**
 * The sentences that the page sends to the assistant for the user. A test takes each of them up.
 *
 * They are English in every language: the offline planner reads no other.
 */

import type { CrmRecord, RecordType } from "./records.js";
import { say } from "./words.js";

export const TODAY = "What is on my plate today?";

/** A button's words, and the sentence that it sends. */
export interface Ask {
  label: string;
  text: string;
}

/** Return what to ask about a record. */
export function asksAbout(type: RecordType, record: CrmRecord): Ask[] {
  const name = record.display_name;
  switch (type) {
    case "activity":
      return record["status"] === "scheduled"
        ? [{ label: say("ask_complete"), text: `Mark the activity “${name}” as completed` }]
        : [];
    case "lead":
    case "contact":
    case "account":
    case "opportunity":
      return [
        { label: say("ask_next"), text: `What should I do next with ${name}?` },
        { label: say("ask_summary"), text: `Give me a summary of ${name}` },
        { label: say("ask_call"), text: `Schedule a call with ${name} tomorrow at 10` },
      ];
    default:
      return [];
  }
}

/** Return the order to move a deal to a stage, by the stage's name. */
export function moveTo(stage: string, deal: CrmRecord): string {
  return `Move the deal ${deal.display_name} to the stage ${stage}`;
}
