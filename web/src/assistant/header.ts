/** The top of the panel: who this is, what it does at the moment, the user's mood, and the panel's buttons. */

import { LitElement, css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import type { Mood } from "../api/index.js";
import { element } from "./element.js";
import { icon, type IconName } from "./icons.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

export type PanelState = "idle" | "listening" | "processing" | "speaking" | "error" | "offline";
export type View = "chat" | "history" | "settings";

@element("aisha-header")
export class AishaHeader extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: var(--aisha-1);
        min-block-size: 56px;
        padding: var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);
        padding-inline: var(--aisha-4) var(--aisha-2);
        border-block-end: 1px solid var(--aisha-line);
      }

      .mark {
        position: relative;
        display: grid;
        place-items: center;
        inline-size: 32px;
        block-size: 32px;
        flex: none;
        margin-inline-end: var(--aisha-2);
        border-radius: 10px;
        background: var(--aisha-accent-fill);
        color: var(--aisha-on-accent);
        font-weight: 700;
        box-shadow: 0 0 0 calc(var(--aisha-level, 0) * 16px) var(--aisha-accent-soft);
      }

      @media (prefers-reduced-motion: reduce) {
        .mark {
          box-shadow: none;
        }
      }

      .who {
        flex: 1;
        min-inline-size: 0;
        line-height: 1.3;
      }

      h2 {
        margin: 0;
        font-size: var(--aisha-text-m);
        font-weight: 650;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      p {
        display: flex;
        align-items: center;
        gap: 6px;
        margin: 0;
        white-space: nowrap;
        font-size: var(--aisha-text-xs);
        color: var(--aisha-muted);
      }

      .light {
        inline-size: 8px;
        block-size: 8px;
        border-radius: 50%;
        background: var(--aisha-good);
      }

      .light.processing,
      .light.listening,
      .light.speaking {
        background: var(--aisha-accent);
        animation: pulse 1.2s ease-in-out infinite;
      }

      .light.error {
        background: var(--aisha-danger);
      }
      .light.offline {
        background: var(--aisha-warn);
      }

      @keyframes pulse {
        50% {
          opacity: 0.35;
        }
      }
    `,
  ];

  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) mood: Mood | null = null;
  @property() name = "";
  @property() state: PanelState = "idle";
  @property() view: View = "chat";
  @property({ type: Boolean }) minimisable = false;
  @property({ type: Boolean }) fresh = false;
  @property({ type: Boolean }) aloud = false;

  override render() {
    const { words, mood } = this;
    return html`
      <span class="mark" aria-hidden="true">${this.name.slice(0, 1)}</span>
      <div class="who">
        <h2>${this.name}</h2>
        <p>
          <span class="light ${this.state}" aria-hidden="true"></span>
          <span>${words.say(`state_${this.state}`)}</span>
          ${mood ? this.moodMark(mood) : nothing}
        </p>
      </div>
      ${this.sound()} ${this.button("new_conversation", "plus", () => this.tell("clear"), undefined, this.fresh)}
      ${this.button("history", "history", () => this.show("history"), this.view === "history")}
      ${this.button("settings", "settings", () => this.show("settings"), this.view === "settings")}
      ${this.minimisable ? this.button("minimise", "minimise", () => this.tell("minimise")) : nothing}
    `;
  }

  private moodMark(mood: Mood) {
    const text = this.words.say("mood", { mood: this.words.named("mood_", mood.sentiment, mood.sentiment) });
    return html`<span role="img" aria-label=${text} title=${text}>${mood.emoji}</span>`;
  }

  private button(
    label: "new_conversation" | "history" | "settings" | "minimise",
    name: IconName,
    act: () => void,
    isOpen?: boolean,
    isDisabled = false,
  ) {
    const text = this.words.say(label);
    return html`<button
      class="icon-button"
      aria-label=${text}
      title=${text}
      aria-expanded=${isOpen ?? nothing}
      ?disabled=${isDisabled}
      @click=${act}
    >
      ${icon(name)}
    </button>`;
  }

  private sound() {
    const text = this.words.say("read_answers");
    return html`<button
      class="icon-button"
      aria-label=${text}
      title=${this.aloud ? this.words.say("mute") : text}
      aria-pressed=${this.aloud}
      @click=${() => this.tell("sound")}
    >
      ${icon(this.aloud ? "speak" : "mute")}
    </button>`;
  }

  private show(view: View): void {
    this.dispatchEvent(new CustomEvent("view", { detail: this.view === view ? "chat" : view }));
  }

  private tell(name: "clear" | "minimise" | "sound"): void {
    this.dispatchEvent(new CustomEvent(name));
  }
}
