/** A turn's parts become one message, and the events that a CRM page hears. */

import type { TurnPart } from "../api/index.js";
import type { Message, RecordChange, Step } from "./message.js";
import { planOf } from "./plan.js";
import { UNDO_TOOL } from "./taking_back.js";

/** A page or record that the assistant opens. */
export interface Navigation {
  page: string;
  record: { type: string; id: string; name: string } | null;
}

/** What a part means for the page, beside the message. */
export interface Effects {
  changes: RecordChange[];
  navigation: Navigation | null;
  /** The changes took back earlier ones, and can't be taken back themselves. */
  isUndo: boolean;
}

const NONE: Effects = { changes: [], navigation: null, isUndo: false };

/** Return the message after a part, and the part's effects. */
export function applyPart(message: Message, part: TurnPart, now: number): [Message, Effects] {
  switch (part.type) {
    case "start":
      // A resumed stream tells the whole turn again. What was shown stays until the new text is as long.
      return [{ ...message, id: part.messageId, steps: [], changes: [], state: "streaming", incoming: "" }, NONE];
    case "text-start":
      return [message.incoming ? addText(message, "\n\n") : message, NONE];
    case "text-delta":
      return [addText(message, part.delta), NONE];
    case "tool-input-available":
      return [
        { ...message, steps: [...message.steps, newStep(part.toolCallId, part.toolName, part.input, now)] },
        NONE,
      ];
    case "tool-output-available": {
      const isUndo = message.steps.some((step) => step.id === part.toolCallId && step.tool === UNDO_TOOL);
      const effects = { ...effectsOf(part.output), isUndo };
      const done = { state: "done", outcome: outcomeOf(part.output) } as const;
      const finished = finishStep(message, part.toolCallId, done, now);
      return [isUndo ? finished : { ...finished, changes: [...message.changes, ...effects.changes] }, effects];
    }
    case "tool-output-error":
      return [finishStep(message, part.toolCallId, { state: "failed", outcome: part.errorText }, now), NONE];
    case "data-entities":
      return [{ ...message, entities: part.data }, NONE];
    case "data-confirmation":
      return [{ ...message, confirmation: part.data, plan: planOf(part.data) }, NONE];
    case "data-followups":
      return [{ ...message, followUps: part.data }, NONE];
    case "data-conclusions":
      return [{ ...message, ...part.data }, NONE];
    case "data-mood":
      return [{ ...message, mood: part.data }, NONE];
    case "data-needs":
      return [{ ...message, needs: part.data }, NONE];
    case "data-usage":
      return [{ ...message, usage: part.data }, NONE];
    case "finish": {
      const { warnings = [], isReplaceable = false } = part.messageMetadata;
      return [{ ...endSteps(message), warnings, isReplaceable }, NONE];
    }
    default:
      return [message, NONE];
  }
}

/** Return the message without running steps: those that have no result wait for the user. */
export function endSteps(message: Message): Message {
  if (!message.steps.some((step) => step.state === "running")) return message;
  const steps = message.steps.map((step) => (step.state === "running" ? { ...step, state: "waiting" as const } : step));
  return { ...message, steps };
}

function addText(message: Message, delta: string): Message {
  const incoming = message.incoming + delta;
  const text = message.text.startsWith(incoming) ? message.text : incoming;
  return { ...message, incoming, text };
}

function newStep(id: string, tool: string, input: Record<string, unknown>, now: number): Step {
  const outcome = { durationMs: null, outcome: "" };
  return { id, tool, arguments: input, state: "running", startedAt: now, ...outcome };
}

function finishStep(message: Message, id: string, members: Partial<Step>, now: number): Message {
  const steps = message.steps.map((step) =>
    step.id === id ? { ...step, durationMs: now - step.startedAt, ...members } : step,
  );
  return { ...message, steps };
}

/** Return the records that a tool's result says it changed, and where it leads. Another system's result has neither. */
export function effectsOf(output: unknown): Effects {
  if (!isObject(output)) return NONE;
  const receipts = [output.receipt, ...(Array.isArray(output.receipts) ? output.receipts : [])];
  if (Array.isArray(output.items)) receipts.push(...output.items.map((item) => isObject(item) && item.receipt));
  const changes = receipts.flatMap((receipt): RecordChange[] => {
    if (!isObject(receipt) || typeof receipt.action !== "string" || !isObject(receipt.entity)) return [];
    const { type, id, name } = receipt.entity;
    return [{ action: receipt.action, type: String(type), id: String(id), name: String(name ?? "") }];
  });
  let navigation: Navigation | null = null;
  if (typeof output.navigate_to === "string") {
    const record = isObject(output.record) ? (output.record as unknown as Navigation["record"]) : null;
    navigation = { page: output.navigate_to, record };
  }
  return { changes, navigation, isUndo: false };
}

function outcomeOf(output: unknown): string {
  if (!isObject(output)) return "";
  if (typeof output.total === "number") return String(output.total);
  return "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
