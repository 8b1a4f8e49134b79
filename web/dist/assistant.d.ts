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
/** Data that a page sends along when the assistant asks for it. */
export interface PageData {
    attachedData?: Record<string, unknown>;
    clientSections?: (string | {
        id: string;
        description: string;
    })[];
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
    /** Return the data that the assistant asks for, or null if the page has none. */
    provideData: ((needs: Record<string, unknown>) => Promise<PageData | null>) | null;
    /** Open the panel, and send a message as if the user had written it. */
    ask(text: string): void;
    /** Open the panel with a text in the message box. */
    draft(text: string): Promise<void>;
    /** Show a stored conversation. */
    openConversation(id: string): Promise<void>;
}
declare global {
    interface HTMLElementTagNameMap {
        "aisha-assistant": HTMLElement & AssistantElement;
    }
}
