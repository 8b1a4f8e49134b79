/** An error in words with a way on: try again, at once or after the time that the server asks for. */

import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { element } from "./element.js";
import { icon } from "./icons.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

@element("aisha-notice")
export class AishaNotice extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
      }

      .notice {
        display: flex;
        gap: var(--aisha-3);
        padding: var(--aisha-3);
        margin-block-start: var(--aisha-2);
        background: var(--aisha-danger-soft);
        border-radius: var(--aisha-radius);
        font-size: var(--aisha-text-s);
        line-height: 1.5;
        overflow-wrap: anywhere;
      }

      .notice > svg {
        flex: none;
        color: var(--aisha-danger);
        margin-block-start: 1px;
      }

      .calm {
        background: var(--aisha-warn-soft);
      }

      .calm > svg {
        color: var(--aisha-warn);
      }

      p {
        margin: 0;
      }

      .reference {
        margin-block-start: var(--aisha-1);
        font-size: var(--aisha-text-xs);
        color: var(--aisha-muted);
      }

      .button {
        margin-block-start: var(--aisha-2);
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property({ attribute: false }) words!: Words;
  @property() text = "";
  @property() reference = "";
  @property({ type: Number }) retryAfter: number | null = null;
  @property({ type: Boolean }) retryable = false;
  @property({ type: Boolean }) disabled = false;
  /** Nothing is wrong: it only takes a while. */
  @property({ type: Boolean }) calm = false;
  @state() private left = 0;

  private timer: ReturnType<typeof setInterval> | undefined;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("retryAfter")) this.countDown(this.retryAfter ?? 0);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override render() {
    const { words, left } = this;
    return html`<div class="notice ${this.calm ? "calm" : ""}">
      ${icon(this.calm ? "clock" : "alert", 18)}
      <div>
        <p>${this.text}</p>
        ${this.reference ? html`<p class="reference">${words.say("reference", { id: this.reference })}</p>` : nothing}
        ${
          this.retryable
            ? html`<button class="button" ?disabled=${this.disabled || left > 0} @click=${this.retry}>
                ${icon("retry", 15)} ${left > 0 ? words.say("retry_in", { seconds: left }) : words.say("retry")}
              </button>`
            : nothing
        }
      </div>
    </div>`;
  }

  private countDown(seconds: number): void {
    clearInterval(this.timer);
    const ends = Date.now() + seconds * 1000;
    this.left = seconds;
    if (!seconds) return;
    this.timer = setInterval(() => {
      this.left = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
      if (!this.left) clearInterval(this.timer);
    }, 250);
  }

  private retry(): void {
    this.dispatchEvent(new CustomEvent("retry"));
  }
}
