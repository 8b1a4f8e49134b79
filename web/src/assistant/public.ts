/** The public interface of `<aisha-assistant>`, of which the build makes the package's types. */

/** A record as the page and the assistant name it. */
export interface RecordReference {
  type: string;
  id: string;
  name: string;
}

/** What `navigate` says: a page by name, a record, or both. */
export interface NavigateDetail {
  page: string | null;
  record: RecordReference | null;
}

/** What `recordchanged` says; `action` is `created`, `updated` or `deleted`. */
export interface RecordChangeDetail extends RecordReference {
  action: string;
}

/** Data that only the page has: its id, with a description that lets the assistant choose it. */
export type ClientSection = string | { id: string; description: string };

/** What the assistant asks of the page: some of its `clientSections`, whole. */
export interface NeededData {
  data: { sections: { sectionId: string; reason?: string }[] };
}

/** The data of sections by their ids, to be sent with the message again. */
export interface PageData {
  attachedData: Record<string, unknown>;
}

export interface AssistantElement {
  api: string;
  theme: "midnight" | "light" | "system";
  layout: "sidebar" | "fill";
  locale: string;
  name: string;
  page: string;
  recordType: string;
  recordId: string;
  minimised: boolean;
  /** Return a bearer token; called with `true` when the API refused the last one. Never stored. */
  token: ((isRenewal: boolean) => Promise<string> | string) | null;
  /** The data that the page could give, by id; without it the assistant asks for none. */
  clientSections: ClientSection[];
  /** Return the data that the assistant asks for, or null if the page has none. */
  provideData: ((needs: NeededData) => Promise<PageData | null>) | null;
  /** Open the panel, and send a message as if the user had written it. */
  ask(text: string): void;
  /** Open the panel with a text in the message box. */
  draft(text: string): Promise<void>;
  /** Show a stored conversation. */
  openConversation(id: string): Promise<void>;
  /** Hear that the page has taken back a change of these records: its answer offers no undo any more. */
  takenBack(ids: readonly string[]): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "aisha-assistant": HTMLElement & AssistantElement;
  }
}
