/** Errors of the API: RFC 9457 problem documents, and what a proxy or a lost network puts in their place. */

import type { components } from "./schema.js";

export type Problem = components["schemas"]["Problem"];

/** A request that failed. `status` is 0 without an answer; `message` is the API's own text for the user, if it sent one. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    /** Seconds that the server asks to wait, or null. */
    readonly retryAfter: number | null = null,
    readonly problem: Partial<Problem> = {},
  ) {
    super(message);
  }
}

/** Return the error of a response that is not 2xx. Its body may be a problem, other JSON, or a proxy's HTML page. */
export async function errorOf(response: Response): Promise<ApiError> {
  let problem: Partial<Problem> = {};
  if (/\bjson\b/.test(response.headers.get("content-type") ?? "")) {
    problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  } else {
    await response.body?.cancel().catch(() => undefined);
  }
  return new ApiError(
    response.status,
    problem.code ?? "",
    typeof problem.message === "string" ? problem.message : "",
    problem.request_id ?? response.headers.get("x-request-id"),
    secondsOf(response.headers.get("retry-after")),
    problem,
  );
}

/** Return any thrown value as an `ApiError`. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, "unexpected", error instanceof Error ? error.message : "");
}

/** Return the error that members of a stream's last part describe. */
export function errorOfMembers(members: Partial<Problem>): ApiError {
  return new ApiError(
    members.status ?? 500,
    members.code ?? "",
    members.message ?? "",
    members.request_id ?? null,
    null,
    members,
  );
}

/** Return the seconds of a `Retry-After`: a number, or a date from now. */
function secondsOf(value: string | null): number | null {
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
