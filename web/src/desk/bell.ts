/** The bell: how much is due for the user, and what it is. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { dataOf, type components } from "../api/index.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import { wordsOf, type Desk } from "./desk.js";
import { moment } from "./format.js";
import { kindOf } from "./records.js";
import { ui } from "./ui.js";
import { say } from "./words.js";

type Notification = components["schemas"]["Notification"];

const EVERY_MS = 300_000;

@element("desk-bell")
export class DeskBell extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      details {
        position: relative;
      }

      summary {
        display: flex;
        align-items: center;
        gap: var(--aisha-1);
        padding: 6px 10px;
        border-radius: var(--aisha-radius-s);
        cursor: pointer;
        list-style: none;
      }

      summary::-webkit-details-marker {
        display: none;
      }

      summary:hover {
        background: var(--aisha-hover);
      }

      .list {
        position: absolute;
        inset-inline-end: 0;
        inset-block-start: calc(100% + 4px);
        z-index: 5;
        inline-size: min(340px, calc(100vw - 32px));
        max-block-size: 60vh;
        overflow-y: auto;
        box-shadow: var(--aisha-shadow);
      }

      ul {
        display: grid;
        gap: var(--aisha-3);
        margin: 0 0 var(--aisha-3);
        padding: 0;
        list-style: none;
      }

      li {
        overflow-wrap: anywhere;
      }

      li .muted {
        display: block;
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private due: readonly Notification[] = [];
  @state() private error = "";
  @query("details") private details!: HTMLDetailsElement;
  private timer: ReturnType<typeof setInterval> | undefined;

  protected override firstUpdated(): void {
    this.desk.feed.addEventListener("changes", this.load);
    this.timer = setInterval(this.load, EVERY_MS);
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.desk.feed.removeEventListener("changes", this.load);
    clearInterval(this.timer);
  }

  protected override render(): TemplateResult {
    const count = this.due.length;
    return html`<details @keydown=${this.pressed} @focusout=${this.left}>
      <summary aria-label=${say("notifications_due", { count })} title=${say("notifications")}>
        <svg
          width="18"
          height="18"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          stroke-width="1.8"
          stroke-linecap="round"
          stroke-linejoin="round"
          aria-hidden="true"
        >
          <path d="M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4" />
        </svg>
        ${count ? html`<span class="badge accent">${count}</span>` : nothing}
      </summary>
      <div class="card list">
        ${
          this.error
            ? html`<p class="error" role="alert">${this.error}</p>`
            : count
              ? html`<ul>
                  ${this.due.map((one) => html`<li>${this.linked(one)}<span class="muted">${moment(one.dueAt)}</span></li>`)}
                </ul>`
              : html`<p class="muted">${say("nothing_due")}</p>`
        }
        <a class="link" href="#/settings" @click=${this.close}>${say("what_comes")}</a>
      </div>
    </details>`;
  }

  private linked(one: Notification): TemplateResult {
    const kind = one.source === "activity" ? kindOf("activity") : one.entity ? kindOf(one.entity.type) : undefined;
    const id = one.source === "activity" ? one.id : one.entity?.id;
    if (!kind || !id) return html`<span dir="auto">${one.title}</span>`;
    return html`<a class="link" dir="auto" href="#/${kind.page}/${id}" @click=${this.close}>${one.title}</a>`;
  }

  private readonly load = async (): Promise<void> => {
    try {
      this.due = (await dataOf(this.desk.api.rest.GET("/api/ai/notifications"))).notifications;
      this.error = "";
    } catch (error) {
      this.error = wordsOf(error);
    }
  };

  private readonly close = (): void => {
    this.details.open = false;
  };

  private pressed(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.details.open) return;
    this.close();
    this.details.querySelector("summary")?.focus();
  }

  private left(event: FocusEvent): void {
    if (event.relatedTarget && !this.details.contains(event.relatedTarget as Node)) this.close();
  }
}
