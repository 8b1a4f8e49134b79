/** The messages, scrolled to the newest question and its answer unless the user reads elsewhere. */

import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { property, query, state } from "lit/decorators.js";
import { element } from "./element.js";
import type { Actions } from "./actions.js";
import type { RecordRef } from "./arguments.js";
import { icon } from "./icons.js";
import type { Message } from "./message.js";
import "./message_view.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

const NEAR_PX = 80;

@element("aisha-transcript")
export class AishaTranscript extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        position: relative;
        display: block;
        min-block-size: 0;
      }

      .scroll {
        block-size: 100%;
        overflow-y: auto;
        overscroll-behavior: contain;
        scrollbar-width: thin;
        scrollbar-color: var(--aisha-line-strong) transparent;
        padding: var(--aisha-3) var(--aisha-4);
        outline-offset: -2px;
      }

      .messages {
        max-inline-size: 760px;
        margin-inline: auto;
      }

      /* Messages out of sight are not laid out: 500 of them scroll as fast as five. */
      aisha-message:not([last]) {
        content-visibility: auto;
        contain-intrinsic-size: auto 120px;
      }

      .newest {
        position: absolute;
        inset-block-end: var(--aisha-3);
        inset-inline-end: var(--aisha-3);
        background: var(--aisha-raised);
        border: 1px solid var(--aisha-line-strong);
        border-radius: 50%;
        color: var(--aisha-ink);
        box-shadow: var(--aisha-shadow);
      }
    `,
  ];

  @property({ attribute: false }) messages: readonly Message[] = [];
  @property({ attribute: false }) records: readonly RecordRef[] = [];
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @property() name = "";
  @property() speaking: string | null = null;
  /** The key of the message that may be changed. */
  @property() editable = "";
  @property({ type: Boolean }) busy = false;
  /** What stays in sight while the height changes: the last question, the end, or where the user has scrolled to. */
  private follows: "question" | "end" | "nothing" = "question";
  /** Where the element itself has scrolled to. */
  private placed = 0;
  @state() private isMoreBelow = false;
  @query(".scroll") private frame!: HTMLElement;
  @query(".messages") private content!: HTMLElement;

  private sizes: ResizeObserver | undefined;

  override firstUpdated(): void {
    // Text that streams, images of the fonts, a resized panel: whatever changes the height, the newest stays in sight.
    this.sizes = new ResizeObserver(() => this.place());
    this.sizes.observe(this.content);
    this.sizes.observe(this.frame);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes?.disconnect();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.firstUpdated();
  }

  override updated(changed: PropertyValues<this>): void {
    const before = changed.get("messages") as readonly Message[] | undefined;
    const isNew = before && this.messages.length > before.length && this.messages.at(-1)?.state === "streaming";
    // An answer to a button has no question above it.
    if (isNew) this.follows = this.messages.at(-2)?.role === "user" ? "question" : "end";
    this.place();
  }

  override render() {
    const last = this.messages.at(-1)?.key;
    return html`<div
        class="scroll"
        tabindex="0"
        role="log"
        aria-live="off"
        aria-label=${this.words.say("transcript")}
        @scroll=${this.scrolled}
      >
        <div class="messages">
          ${this.messages.map(
            (message) =>
              html`<aisha-message
                .message=${message}
                .words=${this.words}
                .actions=${this.actions}
                .records=${this.records}
                .name=${this.name}
                dir=${this.words.direction}
                ?last=${message.key === last}
                ?editable=${message.key === this.editable}
                ?busy=${this.busy}
                ?speaking=${message.key === this.speaking}
              ></aisha-message>`,
          )}
        </div>
      </div>
      ${
        this.isMoreBelow
          ? html`<button
              class="icon-button newest"
              aria-label=${this.words.say("to_newest")}
              title=${this.words.say("to_newest")}
              @click=${this.toEnd}
            >
              ${icon("down")}
            </button>`
          : nothing
      }`;
  }

  private scrolled(): void {
    const { scrollTop } = this.frame;
    if (Math.abs(scrollTop - this.placed) > 2) this.follows = this.end - scrollTop < NEAR_PX ? "end" : "nothing";
    this.isMoreBelow = this.end - scrollTop > NEAR_PX;
  }

  private toEnd(): void {
    this.follows = "end";
    this.place();
  }

  private get end(): number {
    return this.frame.scrollHeight - this.frame.clientHeight;
  }

  /** Where an answer is read from: its question at the top, or the end if all of it fits or waits for a yes. */
  private get start(): number {
    const asked = this.messages.findLastIndex((message) => message.role === "user");
    const { confirmation, decision } = this.messages.at(-1) ?? {};
    const question = this.content.children[asked] as HTMLElement | undefined;
    if (!question || (confirmation && !decision)) return this.end;
    return Math.min(question.offsetTop - this.content.offsetTop, this.end);
  }

  private place(): void {
    if (!this.frame) return;
    if (this.follows !== "nothing") {
      this.frame.scrollTop = this.follows === "end" ? this.end : this.start;
      this.placed = this.frame.scrollTop;
    }
    this.isMoreBelow = this.end - this.frame.scrollTop > NEAR_PX;
  }
}
