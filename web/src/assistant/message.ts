/** The messages of a conversation as the page shows them. They are never changed in place. */

import type { ApiError, Confirmation, Entity, FollowUp, Mood, Source, TurnUsage } from "../api/index.js";
import type { NeededData } from "./public.js";

/** A record that a tool created, changed or deleted. */
export interface RecordChange {
  action: string;
  type: string;
  id: string;
  name: string;
}

export type StepState = "running" | "done" | "failed" | "waiting";

/** A tool call. Its time is measured here: the stream has none. */
export interface Step {
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
  state: StepState;
  startedAt: number;
  durationMs: number | null;
  /** One line about the outcome, or the error's text. */
  outcome: string;
}

export type PlanState = "planned" | "running" | "executed" | "failed" | "rejected" | "skipped" | "undone";

/** A step of a plan; `reason` says why it was not done. */
export interface PlanStep {
  id: number;
  text: string;
  state: PlanState;
  reason: string;
}

export type MessageState = "streaming" | "done" | "stopped" | "failed" | "unfinished";

export type Decision = "approved" | "rejected" | "settled" | "expired";

export interface Message {
  key: string;
  /** The id by which the API knows an answer. */
  id: string | null;
  role: "user" | "assistant" | "system";
  text: string;
  /** The text as the running stream has told it so far; `text` is never shorter when a stream resumes. */
  incoming: string;
  at: Date;
  state: MessageState;
  /** An answer that only read: another one may take its place. */
  isReplaceable: boolean;
  steps: readonly Step[];
  /** The records that it changed, which the undo button takes back. */
  changes: readonly RecordChange[];
  undo: "running" | "done" | null;
  sources: readonly Source[];
  insights: readonly string[];
  nextSteps: readonly string[];
  recommendedScans: readonly string[];
  followUps: readonly FollowUp[];
  warnings: readonly string[];
  confirmation: Confirmation | null;
  decision: Decision | null;
  /** The steps of the plan that the confirmation is about, with their states; null for another question. */
  plan: readonly PlanStep[] | null;
  entities: readonly Entity[];
  mood: Mood | null;
  usage: TurnUsage | null;
  /** Milliseconds until it was heard, once it was read aloud. */
  ttsMs?: number;
  needs: NeededData | null;
  error: ApiError | null;
  feedback: "up" | "down" | null;
}

let lastKey = 0;

/** Return a message with the members that are given. */
export function newMessage(members: Partial<Message> & Pick<Message, "role">): Message {
  lastKey += 1;
  return {
    key: `m${lastKey}`,
    id: null,
    text: "",
    incoming: "",
    at: new Date(),
    state: "done",
    isReplaceable: false,
    steps: [],
    changes: [],
    undo: null,
    sources: [],
    insights: [],
    nextSteps: [],
    recommendedScans: [],
    followUps: [],
    warnings: [],
    confirmation: null,
    decision: null,
    plan: null,
    entities: [],
    mood: null,
    usage: null,
    needs: null,
    error: null,
    feedback: null,
    ...members,
  };
}
