/** What a user does with an answer: undo, ask anew, copy, hear, rate; and when it came. */

import { LitElement, css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import type { Actions } from "./actions.js";
import { element } from "./element.js";
import { icon, type IconName } from "./icons.js";
import type { Message } from "./message.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

@element("aisha-answer-actions")
export class AishaAnswerActions extends LitElement {
  static override styles = [
    base,
    css`
      .footer {
        display: flex;
        align-items: center;
        flex-wrap: wrap;
        gap: var(--aisha-1);
        margin-block-start: var(--aisha-2);
        color: var(--aisha-muted);
        font-size: var(--aisha-text-xs);
      }

      .footer > .icon-button:first-child {
        margin-inline-start: -6px;
      }

      .footer .when {
        margin-inline-start: auto;
        font-variant-numeric: tabular-nums;
      }

      .footer .undo {
        min-block-size: 28px;
        padding: 2px 10px;
      }
    `,
  ];

  @property({ attribute: false }) message!: Message;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @property({ type: Boolean }) last = false;
  @property({ type: Boolean }) busy = false;
  @property({ type: Boolean }) speaking = false;
  @state() private isCopied = false;

  override render() {
    const { message, words } = this;
    return html`<div class="footer" role="group" aria-label=${words.say("answer_actions")}>
      ${
        message.changes.length
          ? html`<button
              class="button undo"
              ?disabled=${this.busy || message.undo !== null}
              @click=${() => this.actions.undo(message.key)}
            >
              ${icon("undo", 14)}
              ${message.undo === "done" ? words.say("undone") : words.count("undo", message.changes.length)}
            </button>`
          : nothing
      }
      ${
        this.last && message.isReplaceable
          ? toolButton(words.say("answer_again"), "retry", () => this.actions.answerAgain(message.key), this.busy)
          : nothing
      }
      ${toolButton(words.say(this.isCopied ? "copied" : "copy"), this.isCopied ? "check" : "copy", () => this.copy())}
      ${toolButton(words.say(this.speaking ? "stop_reading" : "read_aloud"), this.speaking ? "mute" : "speak", () =>
        this.actions.speak(message.key),
      )}
      <aisha-feedback .message=${message} .words=${words} .actions=${this.actions}></aisha-feedback>
      <span class="when" title=${this.timing()}>${words.moment(message.at)}</span>
    </div>`;
  }

  private timing(): string {
    const { words, message } = this;
    const { usage, ttsMs } = message;
    if (!usage) return "";
    const { totalMs, llmMs } = usage.timing;
    const times = [
      words.say("timing", { total: words.seconds(totalMs) }),
      words.say("timing_model", { llm: words.seconds(llmMs) }),
      ...(ttsMs ? [words.say("timing_voice", { tts: words.seconds(ttsMs) })] : []),
    ];
    return `${times.join(", ")} · ${usage.model}`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.message.text);
      this.isCopied = true;
      this.actions.announce(this.words.say("copied"));
      setTimeout(() => (this.isCopied = false), 2000);
    } catch {
      // Without the permission nothing is copied, and the button does not say so.
    }
  }
}

/** Return a small button with an icon. */
export function toolButton(label: string, name: IconName, act: () => void, isDisabled = false) {
  return html`<button
    class="icon-button small"
    aria-label=${label}
    title=${label}
    ?disabled=${isDisabled}
    @click=${act}
  >
    ${icon(name, 15)}
  </button>`;
}
