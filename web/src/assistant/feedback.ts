/** Thumbs for an answer, and why it was bad. */

import { LitElement, css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { element } from "./element.js";
import type { Actions } from "./actions.js";
import { icon } from "./icons.js";
import type { Message } from "./message.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

const REASONS = ["why_wrong", "why_misread", "why_incomplete", "why_slow", "why_other"] as const;

@element("aisha-feedback")
export class AishaFeedback extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: contents;
      }

      .why {
        order: 9;
        inline-size: 100%;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--aisha-2);
        padding: var(--aisha-2) 6px;
        border: 0;
        margin: 0;
        font-size: var(--aisha-text-s);
      }

      .why .button {
        min-block-size: 28px;
        padding: 2px 10px;
        font-weight: 400;
        border-radius: 14px;
      }
    `,
  ];

  @property({ attribute: false }) message!: Message;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @state() private isAsking = false;

  override render() {
    const { feedback } = this.message;
    return html`${this.thumb("up", "good_answer", "up")} ${this.thumb("down", "bad_answer", "thumbDown")}
    ${
      this.isAsking && feedback === "down"
        ? html`<div class="why" role="group" aria-label=${this.words.say("why_bad")}>
            <span>${this.words.say("why_bad")}</span>
            ${REASONS.map(
              (reason) =>
                html`<button class="button" @click=${() => this.rate("down", reason)}>
                  ${this.words.say(reason)}
                </button>`,
            )}
          </div>`
        : nothing
    }`;
  }

  private thumb(rating: "up" | "down", label: "good_answer" | "bad_answer", name: "up" | "thumbDown") {
    const text = this.words.say(label);
    return html`<button
      class="icon-button small"
      aria-label=${text}
      title=${text}
      aria-pressed=${this.message.feedback === rating}
      @click=${() => this.rate(rating)}
    >
      ${icon(name, 15)}
    </button>`;
  }

  private rate(rating: "up" | "down", reason?: (typeof REASONS)[number]): void {
    this.isAsking = rating === "down" && !reason;
    this.actions.rate(this.message.key, rating, reason?.replace("why_", ""));
    if (!this.isAsking) this.actions.announce(this.words.say("thanks"));
  }
}
