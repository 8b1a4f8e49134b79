/** A typed client of the API with the caller's token, retries of what may be repeated, and errors as `ApiError`. */

import { ApiError, errorOf } from "./problem.js";
import { restOf, type Rest } from "./rest.js";

/** Return a bearer token. `isRenewal` is true when the API refused the last one. It is kept in memory only. */
export type TokenSource = (isRenewal: boolean) => Promise<string> | string;

export interface ApiOptions {
  /** The API's address without a path, such as `https://api.example.com`; empty for the page's own origin. */
  api: string;
  token: TokenSource;
  /** The client's name for the API: audit, limits and access know it. */
  door?: string;
}

export interface Api {
  /** The typed operations, by path: `api.rest.GET("/api/crm/{type}", { params: { path: { type: "leads" } } })`. */
  rest: Rest;
  /** `fetch` with the token. Resolves with 2xx responses only; rejects with `ApiError` or `AbortError`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

const DOOR_HEADER = "x-aisha-client";
const RETRIES = 2;
const FIRST_WAIT_MS = 400;
const MAX_WAIT_MS = 4000;

/** Return a client. `GET`, and whatever has an `Idempotency-Key`, is repeated after 502, 503, 504 and lost connections. */
export function createApi({ api, token, door }: ApiOptions): Api {
  const base = api.replace(/\/+$/, "");
  let current: Promise<string> | undefined;

  const tokenOf = (isRenewal: boolean): Promise<string> => {
    if (isRenewal || !current) {
      // Requests at the same time share one call of the page's function. A failed one is asked again.
      const asked = Promise.resolve().then(() => token(isRenewal));
      current = asked;
      asked.catch(() => current === asked && (current = undefined));
    }
    return current;
  };

  // A body is kept as text and given to each attempt anew: the body of a copied `Request` is a stream, which a
  // connection that closes under it loses.
  const send = async (url: URL, init: RequestInit, signed: Promise<string>): Promise<Response> => {
    const bearer = await signed.catch((error: unknown) => {
      throw new ApiError(401, "no_token", error instanceof Error ? error.message : "");
    });
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${bearer}`);
    if (door) headers.set(DOOR_HEADER, door);
    try {
      return await fetch(url, {
        ...init,
        headers,
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
      });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ApiError(0, navigator.onLine ? "unreachable" : "offline", "");
    }
  };

  const attempt = async (url: URL, init: RequestInit): Promise<Response> => {
    const signed = tokenOf(false);
    let response = await send(url, init, signed);
    if (response.status === 401) {
      // Another request may have renewed the token meanwhile.
      response = await send(url, init, current === signed ? tokenOf(true) : tokenOf(false));
    }
    if (!response.ok) throw await errorOf(response);
    // A proxy or a sign-in page answers with HTML where the API never does.
    if (response.headers.get("content-type")?.startsWith("text/html")) {
      await response.body?.cancel();
      throw new ApiError(response.status, "unexpected_content", "", response.headers.get("x-request-id"));
    }
    return response;
  };

  const fetchPath: Api["fetch"] = async (path, init = {}) => {
    const url = new URL(path, base || location.origin);
    const isRepeatable = (init.method ?? "GET") === "GET" || new Headers(init.headers).has("idempotency-key");
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt(url, init);
      } catch (error) {
        if (!isRepeatable || tries >= RETRIES || !isTransient(error)) throw error;
        const asked = error.retryAfter === null ? FIRST_WAIT_MS * 2 ** tries : error.retryAfter * 1000;
        if (asked > MAX_WAIT_MS) throw error;
        await delay(asked, init.signal ?? null);
      }
    }
  };
  return { rest: restOf(fetchPath), fetch: fetchPath };
}

/** Return whether the same request may succeed at once: no answer, a proxy gave up, or its first attempt still runs. */
export function isTransient(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.code === "offline") return false;
  return [0, 502, 503, 504].includes(error.status) ? error.problem.retryable !== false : error.code === "in_progress";
}

/** Resolve after `ms`; reject with `AbortError` when aborted before. */
export function delay(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Return the body of a typed response, which is there because errors reject. */
export async function dataOf<T>(response: Promise<{ data?: T }>): Promise<T> {
  return (await response).data as T;
}
