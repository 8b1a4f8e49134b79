/** The user's conversations: search, open, rename, save as a file, delete. */

import { LitElement, css, html, nothing } from "lit";
import { property, query, state } from "lit/decorators.js";
import { asApiError, dataOf, type Api, type components } from "../api/index.js";
import { element } from "./element.js";
import { errorText } from "./error_text.js";
import { focusBox } from "./focus.js";
import { icon, type IconName } from "./icons.js";
import "./notice.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

type Item = components["schemas"]["Conversation"];

const PAGE_SIZE = 20;
const TYPING_MS = 250;
const MAX_TITLE = 120;

@element("aisha-history")
export class AishaHistory extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
        overflow-y: auto;
        padding: var(--aisha-4);
        scrollbar-width: thin;
      }

      .search {
        position: relative;
        display: block;
      }

      .search svg {
        position: absolute;
        inset-block-start: 9px;
        inset-inline-start: 10px;
        color: var(--aisha-muted);
      }

      input {
        inline-size: 100%;
      }

      .search input {
        padding-inline-start: 36px;
      }

      ul {
        margin: var(--aisha-3) 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
        border-radius: var(--aisha-radius-s);
      }

      li:hover,
      li.current {
        background: var(--aisha-hover);
      }

      .open {
        flex: 1;
        min-inline-size: 0;
        padding: var(--aisha-2) var(--aisha-3);
        text-align: start;
      }

      .title {
        display: block;
        font-size: var(--aisha-text-m);
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .when,
      .empty {
        font-size: var(--aisha-text-xs);
        color: var(--aisha-muted);
      }

      .empty {
        margin-block: var(--aisha-6);
        text-align: center;
        font-size: var(--aisha-text-s);
      }

      form,
      .question {
        flex: 1;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--aisha-2);
        padding: var(--aisha-2) var(--aisha-3);
        font-size: var(--aisha-text-s);
      }

      form input {
        flex: 1 1 100%;
      }

      .more {
        display: block;
        margin-inline: auto;
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) words!: Words;
  @property() current: string | null = null;
  @state() private items: readonly Item[] | null = null;
  @state() private cursor: string | null = null;
  @state() private failure = "";
  @state() private search = "";
  @state() private renaming: string | null = null;
  @state() private deleting: string | null = null;
  @query(".search input") private box!: HTMLInputElement;

  private timer: ReturnType<typeof setTimeout> | undefined;

  override firstUpdated(): void {
    focusBox(this.box);
    void this.load();
  }

  override render() {
    const { words } = this;
    return html`<label class="search">
        ${icon("search")}
        <input
          type="search"
          maxlength="200"
          aria-label=${words.say("search_conversations")}
          placeholder=${words.say("search_conversations")}
          @input=${this.typed}
        />
      </label>
      ${this.failure ? html`<aisha-notice .words=${words} .text=${this.failure} retryable @retry=${() => this.load()}></aisha-notice>` : nothing}
      ${this.list()}
      ${
        this.cursor
          ? html`<button class="button more" @click=${() => this.load(this.cursor)}>${words.say("more")}</button>`
          : nothing
      }`;
  }

  private list() {
    if (this.items === null) return nothing;
    if (!this.items.length) {
      return html`<p class="empty" role="status">
        ${this.words.say(this.search ? "no_matches" : "no_conversations")}
      </p>`;
    }
    return html`<ul aria-label=${this.words.say("history")}>
      ${this.items.map((item) => html`<li class=${item.id === this.current ? "current" : ""}>${this.row(item)}</li>`)}
    </ul>`;
  }

  private row(item: Item) {
    const { words } = this;
    const title = item.title || words.say("untitled");
    if (this.renaming === item.id) {
      return html`<form @submit=${(event: SubmitEvent) => this.rename(event, item)} @keydown=${this.escape}>
        <input
          name="title"
          required
          maxlength=${MAX_TITLE}
          .value=${item.title}
          aria-label=${words.say("rename_label")}
          dir="auto"
        />
        <button class="button primary">${words.say("save")}</button>
        <button class="button" type="button" @click=${this.cancel}>${words.say("cancel")}</button>
      </form>`;
    }
    if (this.deleting === item.id) {
      return html`<div
        class="question"
        role="alertdialog"
        aria-label=${words.say("delete_question")}
        @keydown=${this.escape}
      >
        <span>${words.say("delete_question")}</span>
        <button class="button" @click=${this.cancel}>${words.say("cancel")}</button>
        <button class="button danger" @click=${() => this.discard(item)}>${words.say("delete")}</button>
      </div>`;
    }
    return html`<button
        class="open"
        aria-current=${item.id === this.current ? "true" : nothing}
        @click=${() => this.tell("open", item.id)}
      >
        <span class="title" dir="auto">${title}</span>
        <span class="when">${words.moment(new Date(item.updatedAt))}</span>
      </button>
      ${this.tool("rename", "edit", title, () => this.ask("renaming", item.id))}
      ${this.tool("export", "download", title, () => this.export(item))}
      ${this.tool("delete", "trash", title, () => this.ask("deleting", item.id))}`;
  }

  private tool(label: "rename" | "export" | "delete", name: IconName, title: string, act: () => void) {
    const text = this.words.say(label);
    return html`<button class="icon-button small" aria-label="${text}: ${title}" title=${text} @click=${act}>
      ${icon(name, 15)}
    </button>`;
  }

  private async ask(what: "renaming" | "deleting", id: string): Promise<void> {
    this.renaming = this.deleting = null;
    this[what] = id;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("form input, .question button")?.focus();
  }

  private cancel = (): void => {
    this.renaming = this.deleting = null;
    this.box.focus();
  };

  private escape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.cancel();
  };

  private typed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.search = this.box.value.trim();
      void this.load();
    }, TYPING_MS);
  }

  private async load(cursor: string | null = null): Promise<void> {
    const { search } = this;
    const query = { limit: PAGE_SIZE, ...(search ? { search } : {}), ...(cursor ? { cursor } : {}) };
    await this.attempt(async () => {
      const page = await dataOf(this.api.rest.GET("/api/ai/conversations", { params: { query } }));
      if (search !== this.search) return;
      this.items = cursor ? [...(this.items ?? []), ...page.items] : page.items;
      this.cursor = page.nextCursor ?? null;
    });
  }

  private async rename(event: SubmitEvent, item: Item): Promise<void> {
    event.preventDefault();
    const title = String(new FormData(event.target as HTMLFormElement).get("title")).trim();
    if (!title) return;
    await this.attempt(async () => {
      const params = { path: { id: item.id } };
      const renamed = await dataOf(this.api.rest.PATCH("/api/ai/conversations/{id}", { params, body: { title } }));
      this.items = this.items!.map((one) => (one.id === item.id ? renamed : one));
      this.cancel();
    });
  }

  private async discard(item: Item): Promise<void> {
    await this.attempt(async () => {
      await this.api.rest.DELETE("/api/ai/conversations/{id}", { params: { path: { id: item.id } } });
      this.items = this.items!.filter((one) => one.id !== item.id);
      this.cancel();
      this.tell("removed", item.id);
    });
  }

  private async export(item: Item): Promise<void> {
    await this.attempt(async () => {
      const path = `/api/ai/conversations/${encodeURIComponent(item.id)}/export?format=markdown`;
      const response = await this.api.fetch(path, { headers: { accept: "text/markdown" } });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await response.blob());
      link.download = `${(item.title || this.words.say("untitled")).replace(/[^\p{L}\p{N} _-]+/gu, "").slice(0, 80)}.md`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    this.failure = "";
    try {
      await act();
    } catch (error) {
      this.failure = errorText(asApiError(error), this.words);
    }
  }

  private tell(name: "open" | "removed", id: string): void {
    this.dispatchEvent(new CustomEvent(name, { detail: id }));
  }
}
