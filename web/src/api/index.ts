export { createApi, dataOf, delay, isTransient, type Api, type ApiOptions, type TokenSource } from "./client.js";
export { newKey } from "./key.js";
export { ApiError, asApiError, type Problem } from "./problem.js";
export type { components, paths } from "./schema.js";
export {
  streamTurn,
  type ChatRequest,
  type Conclusions,
  type Confirmation,
  type Entity,
  type FollowUp,
  type Mood,
} from "./turn_stream.js";
export type { Source, TurnPart, TurnUsage } from "./turn_stream.js";
