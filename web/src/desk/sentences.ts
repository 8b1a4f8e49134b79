/** The sentences that the page sends to the assistant for the user. A test takes each of them up. */

import type { CrmRecord, RecordType } from "./records.js";

export const TODAY = "What is on my plate today?";

/** Return what to ask about a record. */
export function asksAbout(type: RecordType, record: CrmRecord): string[] {
  const name = record.display_name;
  switch (type) {
    case "activity":
      return record["status"] === "scheduled" ? [`Mark the activity “${name}” as completed`] : [];
    case "lead":
    case "contact":
    case "account":
    case "opportunity":
      return [
        `What should I do next with ${name}?`,
        `Give me a summary of ${name}`,
        `Schedule a call with ${name} tomorrow at 10`,
      ];
    default:
      return [];
  }
}

/** Return the order to move a deal to a stage, by the stage's name. */
export function moveTo(stage: string, deal: CrmRecord): string {
  return `Move the deal ${deal.display_name} to the stage ${stage}`;
}
