/** A stored conversation, as the messages that the page shows. */

import { dataOf, type Api, type components, type TurnUsage } from "../api/index.js";
import { newMessage, type Message, type Step } from "./message.js";
import { planOf } from "./plan.js";

type Schemas = components["schemas"];

const PAGE_SIZE = 50;
const MAX_PAGES = 20;

/** Return a stored conversation with its first thousand messages. Rejects with `ApiError`. */
export async function loadConversation({ rest }: Api, id: string): Promise<Schemas["ConversationDetail"]> {
  let cursor: string | undefined;
  let whole: Schemas["ConversationDetail"] | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const detail = await dataOf(
      rest.GET("/api/ai/conversations/{id}", {
        params: { path: { id }, query: { limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) } },
      }),
    );
    whole = whole ? { ...detail, messages: [...whole.messages, ...detail.messages] } : detail;
    cursor = detail.nextCursor ?? undefined;
    if (!cursor) break;
  }
  return whole!;
}

/** Return the messages of a stored conversation; the last answer has the confirmation that still waits. */
export function messagesOf(detail: Schemas["ConversationDetail"]): Message[] {
  const messages = detail.messages
    .filter((message) => message.role === "user" || message.role === "assistant")
    .map(storedMessage);
  const last = messages.at(-1);
  if (detail.confirmation && last?.role === "assistant") {
    const { confirmation, entities } = detail;
    messages[messages.length - 1] = { ...last, confirmation, plan: planOf(confirmation), entities };
  }
  return messages;
}

function storedMessage(stored: Schemas["Message"]): Message {
  const metadata = stored.metadata;
  return newMessage({
    id: stored.id,
    role: stored.role as Message["role"],
    text: stored.content,
    at: new Date(stored.createdAt),
    state: stored.finished ? "done" : "unfinished",
    isReplaceable: metadata?.isReplaceable ?? false,
    steps: stored.toolCalls.map(storedStep),
    sources: metadata?.sources ?? [],
    insights: metadata?.insights ?? [],
    nextSteps: metadata?.nextSteps ?? [],
    recommendedScans: metadata?.recommendedScans ?? [],
    followUps: metadata?.followUps ?? [],
    mood: metadata?.mood ?? null,
    usage: metadata ? usageOf(metadata) : null,
  });
}

function usageOf({ provider, model, usage, timing }: Schemas["MessageMetadata"]): TurnUsage | null {
  return model && usage && timing ? { provider: provider ?? "", model, degraded: false, usage, timing } : null;
}

function storedStep(call: Schemas["ToolSummary"]): Step {
  const state = call.status === "executed" ? "done" : call.status === "pending" ? "waiting" : "failed";
  return {
    id: call.id,
    tool: call.name,
    arguments: call.arguments ?? {},
    state,
    startedAt: 0,
    durationMs: null,
    outcome: call.line,
  };
}
