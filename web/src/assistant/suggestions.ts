/** Suggestions of the sweep: each with its reason and priority, to do, to dismiss or to see again tomorrow. */

import { LitElement, css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { asApiError, dataOf, type Api, type components } from "../api/index.js";
import { element } from "./element.js";
import type { Actions } from "./actions.js";
import { errorText } from "./error_text.js";
import { recordIcon } from "./icons.js";
import { base } from "./theme.js";
import { effectsOf } from "./turn.js";
import type { Words } from "./words.js";

type Suggestion = components["schemas"]["Suggestion"];
type Decision = "accept" | "dismiss" | "snooze";

const SHOWN = 3;
const LOADED = 12;
const URGENT = 9;
const HIGH = 7;
const DONE = {
  accept: "suggestion_done",
  dismiss: "suggestion_dismissed",
  snooze: "suggestion_snoozed",
} as const;

@element("aisha-suggestions")
export class AishaSuggestions extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
      }

      h3 {
        margin: var(--aisha-5) 0 var(--aisha-2);
        font-size: var(--aisha-text-s);
        font-weight: 600;
      }

      ul {
        display: grid;
        gap: var(--aisha-2);
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        padding: var(--aisha-3);
        border: 1px solid var(--aisha-line);
        border-radius: var(--aisha-radius);
        font-size: var(--aisha-text-s);
        line-height: 1.45;
      }

      .record {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        max-inline-size: 100%;
        font-weight: 600;
        text-align: start;
        color: var(--aisha-accent);
        overflow-wrap: anywhere;
      }

      .record svg {
        flex: none;
      }

      .priority {
        float: inline-end;
        padding: 1px 8px;
        font-size: var(--aisha-text-xs);
        color: var(--aisha-accent);
        background: var(--aisha-accent-soft);
        border-radius: 10px;
      }

      .urgent {
        color: var(--aisha-warn);
        background: var(--aisha-warn-soft);
      }

      p {
        margin: var(--aisha-1) 0 var(--aisha-2);
        overflow-wrap: anywhere;
      }

      .failed {
        color: var(--aisha-danger);
      }

      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: var(--aisha-2);
      }

      .buttons .button {
        min-block-size: 30px;
        padding: 3px 12px;
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @state() private items: readonly Suggestion[] = [];
  @state() private busy: string | null = null;
  @state() private failures: ReadonlyMap<string, string> = new Map();

  // Not when it is connected: an element that is there before its file gets its properties with its first update.
  override firstUpdated(): void {
    void this.load();
  }

  override render() {
    const { words } = this;
    if (!this.items.length) return nothing;
    // One at a time for each record: the scans often find the same.
    const isFirst = (item: Suggestion, place: number): boolean =>
      this.items.findIndex((one) => one.entity.id === item.entity.id) === place;
    const items = this.items.filter(isFirst).slice(0, SHOWN);
    return html`<h3>${words.say("open_suggestions")}</h3>
      <ul>
        ${items.map(
          (item) =>
            html`<li>
              ${this.priority(item)}
              <button class="record" @click=${() => this.actions.openRecord(item.entity)}>
                ${recordIcon(item.entity.type)}<span dir="auto">${item.entity.name}</span>
              </button>
              <p dir="auto">${reasonOf(item)}</p>
              ${this.failures.has(item.id) ? html`<p class="failed" role="alert">${this.failures.get(item.id)}</p>` : nothing}
              <div class="buttons">
                ${item.tool ? this.button(item, "accept", "suggestion_accept") : nothing}
                ${this.button(item, "snooze", "suggestion_snooze")}
                ${this.button(item, "dismiss", "suggestion_dismiss")}
              </div>
            </li>`,
        )}
      </ul>`;
  }

  private priority({ priority }: Suggestion) {
    if (priority < HIGH) return nothing;
    const isUrgent = priority >= URGENT;
    return html`<span class="priority ${isUrgent ? "urgent" : ""}"
      >${this.words.say(isUrgent ? "urgent" : "high")}</span
    >`;
  }

  private button(
    item: Suggestion,
    decision: Decision,
    label: "suggestion_accept" | "suggestion_snooze" | "suggestion_dismiss",
  ) {
    return html`<button
      class="button ${decision === "accept" ? "primary" : ""}"
      aria-label="${this.words.say(label)}: ${item.entity.name}"
      ?disabled=${this.busy !== null}
      @click=${() => this.decide(item, decision)}
    >
      ${this.words.say(label)}
    </button>`;
  }

  private async load(): Promise<void> {
    try {
      const query = { limit: LOADED };
      this.items = (await dataOf(this.api.rest.GET("/api/ai/suggestions", { params: { query } }))).suggestions;
    } catch {
      // Without suggestions the user can still ask; the first message tells what is wrong.
      this.items = [];
    }
  }

  private async decide(item: Suggestion, decision: Decision): Promise<void> {
    this.busy = item.id;
    this.failures = new Map([...this.failures].filter(([id]) => id !== item.id));
    const params = { path: { id: item.id } };
    const { rest } = this.api;
    try {
      if (decision === "dismiss") await rest.POST("/api/ai/suggestions/{id}/dismiss", { params });
      else if (decision === "snooze") await rest.POST("/api/ai/suggestions/{id}/snooze", { params, body: {} });
      else await this.accept(item, await dataOf(rest.POST("/api/ai/suggestions/{id}/accept", { params, body: {} })));
      this.items = this.items.filter((one) => one.id !== item.id);
      this.actions.announce(this.words.say(DONE[decision]));
      if (!this.items.length) await this.load();
    } catch (error) {
      this.failures = new Map(this.failures).set(item.id, errorText(asApiError(error), this.words));
    } finally {
      this.busy = null;
    }
  }

  private async accept(item: Suggestion, decided: components["schemas"]["Decided"]): Promise<void> {
    if (!decided.success) {
      const message = decided.toolCall?.error?.message;
      throw new Error(typeof message === "string" ? message : item.text);
    }
    const { changes } = effectsOf(decided.toolCall?.result);
    this.actions.changed(changes);
  }
}

/** Return a suggestion's text without the record's name, which stands above it. */
function reasonOf({ text, entity }: Suggestion): string {
  const name = `${entity.name}: `;
  return text.startsWith(name) ? text.slice(name.length) : text;
}
