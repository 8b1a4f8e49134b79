/** What every request says beside its message: language, time zone, model, and what the page shows. */

import type { ChatRequest } from "../api/index.js";
import type { Preferences } from "./preferences.js";
import type { ClientSection } from "./public.js";

/** What the page has set on the element. */
interface Page {
  page: string;
  recordType: string;
  recordId: string;
  clientSections: ClientSection[];
}

/** Return the members of a request without the message. */
export function requestOf(on: Page, { model: choice }: Preferences, locale: string): ChatRequest {
  const { page, recordType, recordId, clientSections } = on;
  const [provider, ...model] = choice.split("/");
  const context = { page: page || null, recordType: recordType || null, recordId: recordId || null };
  return {
    locale,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    clientSections,
    ...(provider ? { provider, model: model.join("/") } : {}),
    ...(page || recordId ? { context } : {}),
  };
}
