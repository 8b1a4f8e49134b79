/** The panel of a spoken conversation: who speaks, in words and as a moving mark, questions, mute and end. */

import { LitElement, css, html, nothing } from "lit";
import { property, query, state } from "lit/decorators.js";
import { asApiError, dataOf, type Api, type ApiError, type Confirmation } from "../api/index.js";
import type { Actions } from "./actions.js";
import { namesOf } from "./arguments.js";
import "./confirmation.js";
import { element } from "./element.js";
import { errorText } from "./error_text.js";
import { icon } from "./icons.js";
import { newMessage, type Message } from "./message.js";
import { planOf } from "./plan.js";
import { RealtimeCall, type CallState, type CallTiming } from "./realtime.js";
import { base } from "./theme.js";
import { effectsOf } from "./turn.js";
import type { Words } from "./words.js";

interface Caption {
  who: "user" | "assistant";
  text: string;
}

/** What `ended` says: the conversation to show, if it has anything, and what went wrong. */
export interface CallEnded {
  conversationId: string | null;
  problem: string;
}

const SHOWN = 4;

@element("aisha-voice")
export class AishaVoice extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
        padding: var(--aisha-3) var(--aisha-4);
        border-block-start: 1px solid var(--aisha-line);
        background: var(--aisha-raised);
      }

      .inner {
        max-inline-size: 760px;
        margin-inline: auto;
      }

      .row {
        display: flex;
        align-items: center;
        gap: var(--aisha-3);
      }

      .mark {
        flex: none;
        display: grid;
        place-items: center;
        inline-size: 44px;
        block-size: 44px;
        border-radius: 50%;
        color: var(--aisha-on-accent);
        background: var(--aisha-accent-fill);
        box-shadow: 0 0 0 calc(var(--level, 0) * 18px) var(--aisha-accent-soft);
      }

      .state {
        flex: 1;
        min-inline-size: 0;
        font-size: var(--aisha-text-s);
        color: var(--aisha-muted);
      }

      .muted {
        color: var(--aisha-warn);
      }

      .time {
        font-size: var(--aisha-text-xs);
        color: var(--aisha-muted);
      }

      .captions {
        display: grid;
        gap: var(--aisha-1);
        max-block-size: 168px;
        margin: 0 0 var(--aisha-3);
        padding: 0;
        overflow-y: auto;
        list-style: none;
        overflow-wrap: anywhere;
        font-size: var(--aisha-text-m);
      }

      .user {
        color: var(--aisha-muted);
        font-size: var(--aisha-text-s);
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @property({ attribute: false }) conversation: string | null = null;
  @property() voice = "";
  @state() private state: CallState = "connecting";
  @state() private captions: ReadonlyMap<string, Caption> = new Map();
  @state() private question: Message | null = null;
  @state() private timing: CallTiming | null = null;
  @state() private isMuted = false;
  @state() private isDeciding = false;
  @query(".mark") private mark?: HTMLElement;
  @query(".captions") private lines?: HTMLElement;

  private call: RealtimeCall | null = null;
  private frame = 0;

  override firstUpdated(): void {
    this.call = new RealtimeCall(this.api, {
      state: (state) => (this.state = state),
      caption: (id, who, text) => (this.captions = new Map(this.captions).set(id, { who, text })),
      asked: (question) => (this.question = question && questionOf(question)),
      changed: (changes) => this.actions.changed(changes),
      timed: (timing) => this.timed(timing),
      ended: (error) => this.ended(error),
    });
    void this.call.start(this.conversation, this.voice);
    this.renderRoot.querySelector<HTMLElement>(".end")?.focus();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.draw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.frame);
    this.call?.end();
  }

  override updated(): void {
    this.lines?.scrollTo({ top: this.lines.scrollHeight });
  }

  override render() {
    const { words, question } = this;
    const captions = [...this.captions.values()].filter((one) => one.text).slice(-SHOWN);
    return html`<div class="inner">
      ${
        captions.length
          ? html`<ul class="captions" aria-label=${words.say("captions")} tabindex="0">
              ${captions.map(({ who, text }) => html`<li class=${who} dir="auto">${text}</li>`)}
            </ul>`
          : nothing
      }
      ${
        question
          ? html`<aisha-confirmation
              .message=${question}
              .names=${namesOf(question.entities)}
              .words=${words}
              .actions=${{ ...this.actions, decide: this.decide, expire: () => (this.question = null) }}
              ?busy=${this.isDeciding}
            ></aisha-confirmation>`
          : nothing
      }
      <div class="row">
        <span class="mark" aria-hidden="true">${icon(this.state === "speaking" ? "speak" : "mic", 22)}</span>
        <span class="state ${this.isMuted ? "muted" : ""}" role="status"
          >${words.say(this.isMuted ? "call_muted" : this.state === "connecting" ? "call_connecting" : `state_${this.state}`)}</span
        >
        ${
          this.timing
            ? html`<span class="time">${words.say("timing", { total: words.seconds(this.timing.totalMs) })}</span>`
            : nothing
        }
        <button
          class="icon-button"
          aria-label=${words.say("call_mute")}
          title=${words.say("call_mute")}
          aria-pressed=${this.isMuted}
          @click=${this.mute}
        >
          ${icon(this.isMuted ? "mute" : "mic")}
        </button>
        <button class="button danger end" @click=${() => this.call?.end()}>${words.say("call_end")}</button>
      </div>
    </div>`;
  }

  private readonly mute = (): void => {
    this.isMuted = !this.isMuted;
    this.call?.mute(this.isMuted);
  };

  private readonly draw = (): void => {
    this.mark?.style.setProperty("--level", (this.call?.level() ?? 0).toFixed(2));
    this.frame = requestAnimationFrame(this.draw);
  };

  /** Decide about the waiting call by button: the model is told what became of it. */
  private readonly decide = async (_: string, decision: "approve" | "reject", choice?: string): Promise<void> => {
    const { id } = this.question!.confirmation!;
    this.isDeciding = true;
    try {
      const body = { decision, ...(choice === undefined ? {} : { choice }) };
      const answer = await dataOf(this.api.rest.POST("/api/ai/confirmations/{id}", { params: { path: { id } }, body }));
      this.actions.changed(answer.toolCalls.flatMap((call) => effectsOf(call.result).changes));
      this.call?.tell(`The user decided by a button. ${answer.response}`);
    } catch (error) {
      this.call?.tell(errorText(asApiError(error), this.words));
    }
    this.isDeciding = false;
    this.question = null;
  };

  /** Show how long the answer took, and record it for the analytics. */
  private timed(timing: CallTiming): void {
    this.timing = timing;
    const command = { commandName: "voice_turn", commandType: "voice", success: true };
    const body = { ...command, executionTimeMs: timing.totalMs, timing };
    void this.api.rest.POST("/api/ai/analytics", { body }).catch(() => undefined);
  }

  private ended(error: ApiError | null): void {
    cancelAnimationFrame(this.frame);
    const conversationId = this.call?.hasActed ? this.call.conversationId : null;
    const detail = { conversationId, problem: error ? errorText(error, this.words) : "" };
    this.dispatchEvent(new CustomEvent<CallEnded>("ended", { detail }));
  }
}

function questionOf(confirmation: Confirmation): Message {
  return newMessage({ role: "assistant", confirmation, plan: planOf(confirmation) });
}
