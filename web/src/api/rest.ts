/** The operations of the API by method and path, with openapi-fetch's types. Its own code is larger. */

import type { Client } from "openapi-fetch";
import type { paths } from "./schema.js";

type Fetch = (path: string, init: RequestInit) => Promise<Response>;

interface Options {
  params?: { path?: Record<string, string>; query?: Record<string, unknown>; header?: Record<string, string> };
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

export type Rest = Pick<Client<paths>, "GET" | "POST" | "PUT" | "PATCH" | "DELETE">;

/** Return the operations over a `fetch` that rejects with an error for every response that is not 2xx. */
export function restOf(fetch: Fetch): Rest {
  const operation =
    (method: string) =>
    async (template: string, { params = {}, body, signal, headers }: Options = {}) => {
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params.path![name]!));
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(params.query ?? {})) {
        for (const one of Array.isArray(value) ? value : [value]) if (one != null) query.append(name, String(one));
      }
      const response = await fetch(query.size ? `${path}?${query}` : path, {
        method,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...params.header,
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        ...(signal ? { signal } : {}),
      });
      return { response, data: response.status === 204 ? undefined : await response.json() };
    };
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  return Object.fromEntries(methods.map((method) => [method, operation(method)])) as unknown as Rest;
}
