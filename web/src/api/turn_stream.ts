/** One turn of the assistant as a stream of parts: the UI message stream of the Vercel AI SDK, with our data parts. */

import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Api } from "./client.js";
import { delay, isTransient } from "./client.js";
import { ApiError, errorOfMembers, type Problem } from "./problem.js";
import type { components } from "./schema.js";

type Schemas = components["schemas"];
export type Confirmation = Schemas["Confirmation"];
export type Entity = Schemas["Entity"];
export type FollowUp = Schemas["FollowUp"];
export type Mood = Schemas["Mood"];
export type Source = Schemas["Source"];
/** The members of a request; that it has a message is left to the caller. */
export type ChatRequest = Exclude<Schemas["ChatRequest"], { message: string } | { messages: unknown[] }>;

export interface Conclusions {
  sources: Source[];
  insights: string[];
  nextSteps: string[];
  recommendedScans: string[];
}

export interface TurnUsage {
  provider: string;
  model: string;
  degraded: boolean;
  usage: { inputTokens: number; outputTokens: number; costUsd: number };
  timing: { totalMs: number; llmMs: number; toolsMs: number };
}

interface Ending {
  status: string;
  warnings?: string[];
  /** The turn only read: a request whose `replaces` names its message takes its place. */
  isReplaceable?: boolean;
  error?: Partial<Problem>;
}

/** The parts that the API sends. Parts of other types are passed on and may be ignored. */
export type TurnPart =
  | { type: "start"; messageId: string; messageMetadata: { conversationId: string; requestId: string } }
  | { type: "start-step" | "finish-step" }
  | { type: "text-start" | "text-end"; id: string }
  | { type: "text-delta"; id: string; delta: string }
  | { type: "tool-input-start"; toolCallId: string; toolName: string }
  | { type: "tool-input-available"; toolCallId: string; toolName: string; input: Record<string, unknown> }
  | { type: "tool-output-available"; toolCallId: string; output: unknown }
  | { type: "tool-output-error"; toolCallId: string; errorText: string }
  | { type: "data-status"; data: { text: string } }
  | { type: "data-entities"; data: Entity[] }
  | { type: "data-confirmation"; data: Confirmation }
  | { type: "data-followups"; data: FollowUp[] }
  | { type: "data-needs"; data: { data: { sections: { sectionId: string; reason?: string }[] } } }
  | { type: "data-conclusions"; data: Conclusions }
  | { type: "data-mood"; data: Mood }
  | { type: "data-usage"; data: TurnUsage }
  | { type: "data-flow"; data: Pick<Schemas["FlowResponse"], "steps"> }
  | { type: "error"; errorText: string }
  | { type: "finish"; messageMetadata: Ending };

const RESUMES = 3;
const RESUME_WAIT_MS = 500;
const SILENCE_MS = 45_000;

/**
 * Yield the parts of a turn. A stream that is cut off is requested again under its `Idempotency-Key`: the API answers
 * from its store or continues the turn, so nothing is written twice. Each attempt begins with a `start` part, which
 * replaces what came before. Throws `ApiError`; the error of a turn that failed midway, too.
 */
export async function* streamTurn(
  api: Api,
  path: string,
  body: ChatRequest,
  idempotencyKey: string,
  signal: AbortSignal,
): AsyncGenerator<TurnPart> {
  const init: RequestInit = {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", "idempotency-key": idempotencyKey },
    body: JSON.stringify(body),
    signal,
  };
  for (let resumes = 0; ; resumes += 1) {
    const quiet = new AbortController();
    const response = await api.fetch(path, { ...init, signal: AbortSignal.any([signal, quiet.signal]) });
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await response.body?.cancel();
      throw new ApiError(response.status, "unexpected_content", "", response.headers.get("x-request-id"));
    }
    let isFinished = false;
    try {
      // Read to the stream's end, not to its last part: a client that leaves before looks like one that was cut off.
      for await (const part of partsOf(response, quiet)) {
        yield part;
        if (part.type !== "finish") continue;
        if (part.messageMetadata.error) throw errorOfMembers(part.messageMetadata.error);
        isFinished = true;
      }
      if (isFinished) return;
      throw new ApiError(0, "cut_off", "");
    } catch (error) {
      if (isFinished) return;
      if (signal.aborted) throw signal.reason;
      const isCut = !(error instanceof ApiError) || error.code === "cut_off";
      if (!isCut && !isTransient(error)) throw error;
      if (resumes >= RESUMES || !isCut) throw error instanceof ApiError ? error : new ApiError(0, "cut_off", "");
      await delay(RESUME_WAIT_MS * 2 ** resumes, signal);
    } finally {
      quiet.abort();
    }
  }
}

/** Yield a response's parts until its end; `quiet` ends a connection on which nothing, not even a comment, arrives. */
async function* partsOf(response: Response, quiet: AbortController): AsyncGenerator<TurnPart> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => quiet.abort(new ApiError(0, "cut_off", "")), SILENCE_MS);
  };
  const text = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>;
  const watched = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      heard();
      controller.enqueue(chunk);
    },
  });
  heard();
  const reader = response
    .body!.pipeThrough(watched)
    .pipeThrough(text)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value.data === "[DONE]") return;
      let part: TurnPart;
      try {
        part = JSON.parse(value.data) as TurnPart;
      } catch {
        throw new ApiError(0, "cut_off", "");
      }
      yield part;
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => undefined);
  }
}
