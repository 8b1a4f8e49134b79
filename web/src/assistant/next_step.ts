/** The button "Next step": which scan to run next, asked of its own endpoint and shown like an answer. */

import { dataOf, type Api, type ChatRequest, type TurnPart } from "../api/index.js";

export const NEXT_STEP = "/api/ai/next-step";

/** Yield the recommendation as the parts of a turn. Throws `ApiError`. */
export async function* recommendScan(
  { rest }: Api,
  { provider, model }: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnPart> {
  const { response, scanType } = await dataOf(rest.POST(NEXT_STEP, { body: { provider, model }, signal }));
  const recommendedScans = scanType ? [scanType] : [];
  yield { type: "text-delta", id: "1", delta: response };
  yield { type: "data-conclusions", data: { sources: [], insights: [], nextSteps: [], recommendedScans } };
}
