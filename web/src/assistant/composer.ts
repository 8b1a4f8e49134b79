/** The message box: Enter sends, Shift+Enter breaks the line, Up brings the last message back. */

import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { property, query, state } from "lit/decorators.js";
import { element } from "./element.js";
import { icon } from "./icons.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

const MAX_CHARACTERS = 8000;
const MAX_HEIGHT_PX = 180;

@element("aisha-composer")
export class AishaComposer extends LitElement {
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };
  static override styles = [
    base,
    css`
      :host {
        display: block;
        padding: var(--aisha-2) var(--aisha-4) var(--aisha-3);
      }

      .box {
        display: flex;
        align-items: flex-end;
        gap: var(--aisha-1);
        max-inline-size: 760px;
        margin-inline: auto;
        padding: 5px;
        background: var(--aisha-raised);
        border: 1px solid var(--aisha-line-strong);
        border-radius: var(--aisha-radius-l);
      }

      .box:focus-within {
        border-color: var(--aisha-accent);
        box-shadow: 0 0 0 1px var(--aisha-accent);
      }

      .box.listening {
        border-color: var(--aisha-danger);
      }

      textarea {
        flex: 1;
        min-inline-size: 0;
        min-block-size: 36px;
        max-block-size: 180px;
        padding: 7px var(--aisha-2);
        line-height: 22px;
        font-size: var(--aisha-text-m);
        resize: none;
        border: 0;
        outline: 0;
        background: none;
        scrollbar-width: thin;
        overflow-wrap: anywhere;
      }

      textarea::placeholder {
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }

      @media (max-width: 380px) {
        textarea::placeholder {
          font-size: var(--aisha-text-s);
        }
      }

      textarea:focus-visible {
        outline: none;
      }

      .send {
        background: var(--aisha-accent-fill);
        color: var(--aisha-on-accent);
        border-radius: 11px;
      }

      .send:hover:not(:disabled) {
        background: var(--aisha-accent-fill);
        color: var(--aisha-on-accent);
        filter: brightness(1.1);
      }

      .send:disabled {
        background: var(--aisha-hover);
        color: var(--aisha-muted);
        opacity: 1;
      }

      .stop svg {
        fill: currentColor;
      }

      .plan[aria-pressed="true"] {
        background: var(--aisha-accent-soft);
        color: var(--aisha-accent);
      }

      .mic[aria-pressed="true"] {
        background: var(--aisha-danger-fill);
        color: #ffffff;
      }

      .editing {
        display: flex;
        align-items: center;
        gap: var(--aisha-2);
        max-inline-size: 760px;
        margin: 0 auto var(--aisha-1);
        padding-inline-start: var(--aisha-2);
        font-size: var(--aisha-text-s);
        color: var(--aisha-muted);
      }

      .editing svg {
        flex: none;
      }

      .editing span {
        flex: 1;
      }

      .problem {
        max-inline-size: 760px;
        margin: var(--aisha-1) auto 0;
        padding-inline: var(--aisha-2);
        font-size: var(--aisha-text-xs);
        color: var(--aisha-danger);
      }
    `,
  ];

  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) earlier: readonly string[] = [];
  @property() placeholder = "";
  /** What was heard so far while the user speaks. */
  @property() heard = "";
  /** What becomes of the message that is being changed, in words; empty while none is. */
  @property() editing = "";
  @property({ type: Boolean }) busy = false;
  @property({ type: Boolean }) listening = false;
  @property({ type: Boolean }) voice = false;
  @property({ type: Boolean }) planning = false;
  /** A spoken conversation can be begun. */
  @property({ type: Boolean }) calls = false;
  @state() private text = "";
  @query("textarea") private area!: HTMLTextAreaElement;

  private recalled = -1;
  /** What stood in the box before a message was put there to be changed. */
  private draft: string | null = null;

  /** Put a text into the box, for the user to change and send. */
  fill(text: string): void {
    this.text = text;
    this.area.value = text;
    this.fit();
  }

  /** Put a message into the box to be changed. What stood there comes back when it is sent or left. */
  edit(text: string): void {
    this.draft ??= this.text;
    this.fill(text);
    this.area.focus();
    this.area.setSelectionRange(text.length, text.length);
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("editing") && !this.editing && this.draft !== null) {
      this.fill(this.draft);
      this.draft = null;
    }
    if (this.listening && this.area.value !== this.heard) {
      this.area.value = this.heard;
      this.fit();
    }
  }

  override render() {
    const { words } = this;
    const excess = this.text.length - MAX_CHARACTERS;
    return html`${this.editing ? this.change() : nothing}
      <div class="box ${this.listening ? "listening" : ""}">
        <textarea
          rows="1"
          dir="auto"
          enterkeyhint="send"
          aria-label=${words.say("message_box")}
          aria-describedby="hint editing"
          placeholder=${this.listening ? words.say("placeholder_listening") : this.placeholder}
          ?readonly=${this.listening}
          @input=${this.typed}
          @keydown=${this.pressed}
        ></textarea>
        <span id="hint" class="hidden-text">${words.say("keys_hint")}</span>
        ${this.plan()} ${this.voice ? this.microphone() : nothing} ${this.calls && !this.text ? this.call() : nothing}
        ${
          this.busy
            ? html`<button
                class="icon-button send stop"
                aria-label=${words.say("stop")}
                title=${words.say("stop")}
                @click=${this.stop}
              >
                ${icon("stop", 16)}
              </button>`
            : html`<button
                class="icon-button send"
                aria-label=${words.say("send")}
                title=${words.say("send")}
                ?disabled=${!this.text.trim() || excess > 0 || this.listening}
                @click=${this.send}
              >
                ${icon("send")}
              </button>`
        }
      </div>
      ${excess > 0 ? html`<p class="problem" role="alert">${words.say("too_long", { count: words.number(excess) })}</p>` : nothing}`;
  }

  private change() {
    const label = this.words.say("stop_editing");
    return html`<div class="editing">
      ${icon("edit", 15)}
      <span id="editing">${this.editing}</span>
      <button class="icon-button small" aria-label=${label} title=${label} @click=${this.leave}>
        ${icon("close", 15)}
      </button>
    </div>`;
  }

  private call() {
    const label = this.words.say("call");
    return html`<button
      class="icon-button"
      aria-label=${label}
      title=${label}
      ?disabled=${this.busy || this.listening}
      @click=${() => this.tell("call")}
    >
      ${icon("call")}
    </button>`;
  }

  private plan() {
    const label = this.words.say("plan_first");
    return html`<button
      class="icon-button plan"
      aria-label=${label}
      title="${label}: ${this.words.say("plan_about")}"
      aria-pressed=${this.planning}
      @click=${() => this.tell("plan")}
    >
      ${icon("plan")}
    </button>`;
  }

  private microphone() {
    const label = this.words.say(this.listening ? "talking" : "talk");
    return html`<button
      class="icon-button mic"
      aria-label=${label}
      title=${label}
      aria-pressed=${this.listening}
      ?disabled=${this.busy}
      @pointerdown=${(event: PointerEvent) => event.button === 0 && this.tell("talk")}
      @pointerup=${() => this.tell("release")}
      @pointercancel=${() => this.tell("release")}
      @lostpointercapture=${() => this.listening && this.tell("release")}
      @keydown=${(event: KeyboardEvent) => isTalkKey(event) && !event.repeat && this.tell("talk")}
      @keyup=${(event: KeyboardEvent) => isTalkKey(event) && this.tell("release")}
      @contextmenu=${(event: Event) => event.preventDefault()}
    >
      ${icon("mic")}
    </button>`;
  }

  private typed(): void {
    this.text = this.area.value;
    this.recalled = -1;
    this.fit();
  }

  private pressed(event: KeyboardEvent): void {
    // An Enter that ends the composition of a Chinese or Japanese word does not send.
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape" && this.editing) {
      this.leave();
    } else if ((event.key === "ArrowUp" && !this.text) || (this.recalled >= 0 && /^Arrow(Up|Down)$/.test(event.key))) {
      this.recall(event);
    }
  }

  private recall(event: KeyboardEvent): void {
    const next = this.recalled + (event.key === "ArrowUp" ? 1 : -1);
    if (next >= this.earlier.length) return;
    event.preventDefault();
    this.fill(next < 0 ? "" : this.earlier[next]!);
    this.recalled = next;
    this.area.setSelectionRange(this.text.length, this.text.length);
  }

  private send(): void {
    const text = this.text.trim();
    if (!text || this.busy || text.length > MAX_CHARACTERS) return;
    this.fill("");
    this.recalled = -1;
    this.tell("send", text);
  }

  private leave(): void {
    this.tell("cancel");
    this.area.focus();
  }

  private stop(): void {
    this.tell("stop");
    this.area.focus();
  }

  private fit(): void {
    this.area.style.height = "auto";
    this.area.style.height = `${Math.min(this.area.scrollHeight, MAX_HEIGHT_PX)}px`;
  }

  private tell(name: "call" | "cancel" | "plan" | "send" | "stop" | "talk" | "release", detail?: string): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function isTalkKey(event: KeyboardEvent): boolean {
  return event.key === " " || event.key === "Enter";
}
