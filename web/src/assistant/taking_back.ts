/** Undo of what an answer changed, and what it means for the other answers. */

import { ApiError, asApiError, dataOf, type Api } from "../api/index.js";
import type { Message, RecordChange } from "./message.js";

/** The tool by which the assistant takes back the user's last change. */
export const UNDO_TOOL = "undo_last";

/** What an undo changed, and why not all of it could be taken back. */
interface Undone {
  undone: RecordChange[];
  error: ApiError | null;
}

/** Take back an answer's changes, the last one first, as far as nothing was changed after it. Rejects nothing. */
export async function takeBack({ rest }: Api, changes: readonly RecordChange[]): Promise<Undone> {
  const undone: RecordChange[] = [];
  try {
    const ids = new Set(changes.map((change) => change.id));
    const feed = await dataOf(rest.GET("/api/crm/changes"));
    const own = feed.items.filter((item) => item.isOwn && item.operation && ids.has(item.entity.id)).reverse();
    const operations = new Set(own.slice(0, changes.length).map((item) => item.operation!));
    for (const operation of operations) {
      // By its key a repeated undo is the same undo.
      const params = { header: { "Idempotency-Key": `undo:${operation}` } };
      const { receipts } = await dataOf(rest.POST("/api/ai/undo", { body: { operation }, params }));
      undone.push(...receipts.map(({ action, entity }) => ({ action, ...entity })));
    }
  } catch (failure) {
    return { undone, error: asApiError(failure) };
  }
  return { undone, error: undone.length ? null : new ApiError(404, "nothing_to_undo", "") };
}

/**
 * Return the messages without an undo of these records' changes. One change of a record was taken back: that wrote the
 * record anew, so that the API refuses to undo what was changed before.
 */
export function withoutUndo(messages: readonly Message[], ids: readonly string[]): readonly Message[] {
  return messages.map((message) => {
    const changes = message.changes.filter((change) => !ids.includes(change.id));
    const isSame = message.undo || message.role !== "assistant" || changes.length === message.changes.length;
    return isSame ? message : { ...message, changes };
  });
}
