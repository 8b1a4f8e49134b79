/** One message: its text as it streams, what it is based on, and what to do next. */

import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { property, query } from "lit/decorators.js";
import { element } from "./element.js";
import type { Actions } from "./actions.js";
import { toolButton } from "./answer_actions.js";
import { namesOf, type Names, type RecordRef } from "./arguments.js";
import "./confirmation.js";
import { errorText } from "./error_text.js";
import { icon, type IconName } from "./icons.js";
import { plainText, renderMarkdown } from "./markdown.js";
import type { Message } from "./message.js";
import "./notice.js";
import { prose } from "./prose.js";
import type { NeededData } from "./public.js";
import "./steps.js";
import { base } from "./theme.js";
import { toolWords } from "./tool_words.js";
import { readable, type Words } from "./words.js";

@element("aisha-message")
export class AishaMessage extends LitElement {
  static override styles = [
    base,
    prose,
    css`
      :host {
        display: block;
        padding-block: var(--aisha-2);
      }

      .asked {
        display: flex;
        flex-direction: row-reverse;
        align-items: center;
        gap: var(--aisha-1);
      }

      .user {
        max-inline-size: 85%;
        padding: var(--aisha-2) var(--aisha-3);
        background: var(--aisha-accent-soft);
        border-radius: var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);
        overflow-wrap: anywhere;
      }

      .said {
        display: block;
        white-space: pre-wrap;
      }

      :host([dir="rtl"]) .user {
        border-radius: var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1);
      }

      .system {
        display: flex;
        align-items: center;
        justify-content: center;
        gap: var(--aisha-2);
        overflow-wrap: anywhere;
        font-size: var(--aisha-text-s);
        color: var(--aisha-muted);
      }

      .status {
        display: flex;
        align-items: center;
        gap: var(--aisha-2);
        min-block-size: 24px;
        color: var(--aisha-muted);
        font-size: var(--aisha-text-s);
      }

      .dots {
        display: inline-flex;
        gap: 4px;
      }

      .dots i {
        inline-size: 6px;
        block-size: 6px;
        border-radius: 50%;
        background: var(--aisha-accent);
        animation: breathe 1.2s ease-in-out infinite;
      }

      .dots i:nth-child(2) {
        animation-delay: 150ms;
      }
      .dots i:nth-child(3) {
        animation-delay: 300ms;
      }

      @keyframes breathe {
        50% {
          opacity: 0.25;
        }
      }

      .mark {
        display: flex;
        align-items: center;
        gap: var(--aisha-2);
        margin-block-start: var(--aisha-2);
        font-size: var(--aisha-text-s);
        color: var(--aisha-warn);
      }

      .mark svg {
        flex: none;
      }

      .section {
        margin-block-start: var(--aisha-3);
      }

      .insights {
        margin: 0;
        padding: var(--aisha-2) var(--aisha-3);
        list-style: none;
        background: var(--aisha-raised);
        border-radius: var(--aisha-radius);
        font-size: var(--aisha-text-s);
      }

      .insights li {
        display: flex;
        gap: var(--aisha-2);
      }

      .insights span {
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }

      .insights svg {
        flex: none;
        margin-block-start: 1px;
        color: var(--aisha-warn);
      }
    `,
  ];

  @property({ attribute: false }) message!: Message;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @property({ attribute: false }) records: readonly RecordRef[] = [];
  @property() name = "";
  @property({ type: Boolean }) last = false;
  /** The user may change this message and send it again. */
  @property({ type: Boolean }) editable = false;
  @property({ type: Boolean }) busy = false;
  @property({ type: Boolean }) speaking = false;
  @query(".prose") private prose?: HTMLElement;

  private shown = "";

  override render() {
    const { message } = this;
    if (message.role === "system") return this.note();
    if (message.role === "user") {
      return html`<div class="asked">
        <div class="user">
          <span class="hidden-text">${this.words.say("you_said")}: </span
          ><span class="said" dir="auto">${message.text}</span>
        </div>
        ${this.editable ? toolButton(this.words.say("edit_message"), "edit", () => this.actions.edit(message.key)) : nothing}
      </div>`;
    }
    return html`<article aria-label=${this.words.say("assistant_said", { name: this.name })}>
      <aisha-steps .steps=${message.steps} .names=${this.names} .words=${this.words}></aisha-steps>
      <div class="prose" dir="auto" ?hidden=${!message.text || message.confirmation !== null}></div>
      ${this.status()} ${this.marks()} ${this.question()} ${message.state === "streaming" ? nothing : this.findings()}
    </article>`;
  }

  override updated(changed: PropertyValues<this>): void {
    const { text, state } = this.message;
    const wanted = `${state === "streaming"}${text}`;
    if (changed.has("message") && this.prose && wanted !== this.shown) {
      this.prose.replaceChildren(renderMarkdown(text, state === "streaming"));
      this.shown = wanted;
    }
  }

  private get names(): Names {
    return namesOf(this.records, this.message.sources, this.message.entities);
  }

  private note() {
    const { error, changes } = this.message;
    const names = changes.map((change) => change.name).join(", ");
    return html`${names ? html`<p class="system">${icon("undo", 14)} ${this.words.say("undone_names", { names })}</p>` : nothing}
    ${error ? html`<aisha-notice .words=${this.words} .text=${errorText(error, this.words)}></aisha-notice>` : nothing}`;
  }

  private status() {
    const { message, words } = this;
    if (message.state !== "streaming") return nothing;
    const running = message.steps.findLast((step) => step.state === "running");
    if (message.text && !running) return nothing;
    const text = running ? `${toolWords(running.tool, words)}…` : words.say("thinking");
    return html`<div class="status">
      <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span>${text}</span>
    </div>`;
  }

  private marks() {
    const { message, words } = this;
    if (message.state === "stopped") return this.stopped();
    if (message.state === "unfinished") return mark(words.say("unfinished"));
    if (message.needs && message.state === "done") {
      return mark(words.say("needs_data", { names: neededNames(message.needs) }));
    }
    const { error } = message;
    if (error) {
      const isWaiting = error.code === "offline";
      return html`<aisha-notice
        .words=${words}
        .text=${errorText(error, words)}
        .retryAfter=${error.retryAfter}
        .reference=${error.requestId ?? ""}
        ?calm=${isWaiting || error.status === 429}
        ?retryable=${isRetryable(error.status) && !isWaiting && !message.decision}
        ?disabled=${this.busy}
        @retry=${() => this.actions.retry(message.key)}
      ></aisha-notice>`;
    }
    return nothing;
  }

  private stopped() {
    const retry = html`<button
      class="button"
      ?disabled=${this.busy}
      @click=${() => this.actions.retry(this.message.key)}
    >
      ${icon("retry", 15)} ${this.words.say("retry")}
    </button>`;
    return html`${mark(this.words.say("stopped"), "stop")}${this.last ? retry : nothing}`;
  }

  private question() {
    const { message } = this;
    if (!message.confirmation || message.state === "streaming") return nothing;
    return html`<aisha-confirmation
      .message=${message}
      .names=${this.names}
      .words=${this.words}
      .actions=${this.actions}
      ?busy=${this.busy}
    ></aisha-confirmation>`;
  }

  private findings() {
    const { message, words } = this;
    if (message.state === "failed") return nothing;
    const said = plainText(message.text);
    // What the answer says already is not said twice.
    const notes = [
      ...message.insights.map((text) => ["bulb", text] as const),
      ...message.nextSteps.filter((text) => !said.includes(text)).map((text) => ["plan", text] as const),
    ];
    return html`
      ${message.warnings.map((text) => mark(text))} ${message.usage?.degraded ? mark(words.say("degraded")) : nothing}
      ${
        notes.length
          ? html`<div class="section">
              <ul class="insights" aria-label=${words.say("insights")}>
                ${notes.map(([name, text]) => html`<li dir="auto">${icon(name, 16)}<span>${text}</span></li>`)}
              </ul>
            </div>`
          : nothing
      }
      ${message.sources.length ? html`<aisha-sources .message=${message} .words=${words} .actions=${this.actions}></aisha-sources>` : nothing}
      ${
        message.text
          ? html`<aisha-answer-actions
              .message=${message}
              .words=${words}
              .actions=${this.actions}
              ?last=${this.last}
              ?busy=${this.busy}
              ?speaking=${this.speaking}
            ></aisha-answer-actions>`
          : nothing
      }
      ${
        this.last
          ? html`<aisha-follow-ups
              .message=${message}
              .words=${words}
              .actions=${this.actions}
              ?busy=${this.busy}
            ></aisha-follow-ups>`
          : nothing
      }
    `;
  }
}

function mark(text: string, name: IconName = "alert") {
  return html`<p class="mark">${icon(name, 14)}<span>${text}</span></p>`;
}

function isRetryable(status: number): boolean {
  return ![402, 403, 404, 410, 413, 422].includes(status);
}

/** Return the names of the data that the assistant asks for. */
function neededNames({ data }: NeededData): string {
  return data.sections.map(({ sectionId }) => readable(sectionId).toLowerCase()).join(", ");
}
