/** What the parts of the element ask it to do. */

import type { RecordRef } from "./arguments.js";
import type { RecordChange } from "./message.js";

export interface Actions {
  send(text: string): void;
  /** Send a message that runs a type of scan. */
  runScan(scan: string): void;
  /** Recommend the scan to run next. */
  recommend(): void;
  retry(key: string): void;
  /** Ask for another answer in the place of this one. */
  answerAgain(key: string): void;
  /** Put the user's message into the box, to be changed and sent again. */
  edit(key: string): void;
  decide(key: string, decision: "approve" | "reject", choice?: string): void;
  undo(key: string): void;
  expire(key: string): void;
  /** Send the user's message before this answer again, as a new one. */
  askAgain(key: string): void;
  openRecord(record: RecordRef): void;
  speak(key: string): void;
  rate(key: string, rating: "up" | "down", reason?: string): void;
  announce(text: string): void;
  /** Tell the page which records were changed. */
  changed(changes: RecordChange[]): void;
}
