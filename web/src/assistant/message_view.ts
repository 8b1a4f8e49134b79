/** One message: its text as it streams, what it is based on, and what to do next. */

import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { property, query, state } from "lit/decorators.js";
import { element } from "./element.js";
import type { Actions } from "./actions.js";
import { namesOf, type Names, type RecordRef } from "./arguments.js";
import "./confirmation.js";
import { errorText } from "./error_text.js";
import { icon, recordIcon, type IconName } from "./icons.js";
import { plainText, renderMarkdown } from "./markdown.js";
import type { Message } from "./message.js";
import "./notice.js";
import { prose } from "./prose.js";
import "./steps.js";
import { base } from "./theme.js";
import { toolWords } from "./tool_words.js";
import { readable, type Words } from "./words.js";

const MAX_SOURCES = 4;

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

      .label {
        margin: 0 0 var(--aisha-1);
        font-size: var(--aisha-text-xs);
        font-weight: 600;
        color: var(--aisha-muted);
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

      .chips {
        display: flex;
        flex-wrap: wrap;
        gap: var(--aisha-2);
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .chips li {
        max-inline-size: 100%;
      }

      .chip {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        max-inline-size: 100%;
        min-block-size: 28px;
        padding: 3px 10px;
        font-size: var(--aisha-text-s);
        line-height: 1.35;
        text-align: start;
        border: 1px solid var(--aisha-line);
        border-radius: 14px;
        background: var(--aisha-bg);
        transition: background var(--aisha-speed);
      }

      .chip:hover:not(:disabled) {
        background: var(--aisha-hover);
      }

      .chip span {
        overflow: hidden;
        text-overflow: ellipsis;
        display: -webkit-box;
        -webkit-line-clamp: 2;
        -webkit-box-orient: vertical;
        overflow-wrap: anywhere;
      }

      .chip svg {
        flex: none;
        color: var(--aisha-accent);
      }

      .follow-up {
        border-color: var(--aisha-line-strong);
      }

      .emoji {
        font-size: 14px;
      }

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
  @property({ attribute: false }) records: readonly RecordRef[] = [];
  @property() name = "";
  @property({ type: Boolean }) last = false;
  /** The user may change this message and send it again. */
  @property({ type: Boolean }) editable = false;
  @property({ type: Boolean }) busy = false;
  @property({ type: Boolean }) speaking = false;
  @state() private isCopied = false;
  @state() private hasAllSources = false;
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
        ${this.editable ? this.tool("edit_message", "edit", () => this.actions.edit(message.key)) : nothing}
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
    if (message.error) {
      return html`<aisha-notice
        .words=${words}
        .text=${errorText(message.error, words)}
        .retryAfter=${message.error.retryAfter}
        .reference=${message.error.requestId ?? ""}
        ?retryable=${isRetryable(message.error.status) && !message.decision}
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
      ${this.sources()} ${this.footer()} ${this.last ? html`${this.scans()}${this.followUps()}` : nothing}
    `;
  }

  private sources() {
    const { sources } = this.message;
    if (!sources.length) return nothing;
    const shown = this.hasAllSources || sources.length <= MAX_SOURCES + 1 ? sources : sources.slice(0, MAX_SOURCES);
    const hidden = sources.length - shown.length;
    return html`<div class="section">
      <p class="label">${this.words.say("sources")}</p>
      <ul class="chips">
        ${shown.map(
          (source) =>
            html`<li>
              <button
                class="chip"
                title=${source.description}
                aria-label=${this.words.say("open_record", {
                  type: this.words.named("type_", source.type, source.type),
                  name: source.name,
                })}
                @click=${() => this.actions.openRecord(source)}
              >
                ${recordIcon(source.type)}<span dir="auto">${source.name}</span>
              </button>
            </li>`,
        )}
        ${
          hidden
            ? html`<li>
                <button class="chip" @click=${() => (this.hasAllSources = true)}>
                  ${this.words.count("more", hidden)}
                </button>
              </li>`
            : nothing
        }
      </ul>
    </div>`;
  }

  private scans() {
    const { recommendedScans, steps } = this.message;
    const run = new Set(steps.map((step) => step.arguments.scan_type));
    const open = recommendedScans.filter((scan) => !run.has(scan));
    if (!open.length) return nothing;
    return html`<div class="section">
      <p class="label">${this.words.say("scans")}</p>
      <ul class="chips">
        ${open.map((scan) => {
          const name = this.words.named("scan_", scan, scan.replaceAll("_", " "));
          const text = this.words.say("run_scan_text", { name });
          return this.chip(text, icon("search", 14));
        })}
      </ul>
    </div>`;
  }

  private followUps() {
    const { followUps, confirmation, decision } = this.message;
    if (!followUps.length || (confirmation && !decision)) return nothing;
    return html`<div class="section">
      <p class="label">${this.words.say("follow_ups")}</p>
      <ul class="chips">
        ${followUps.map((item) => this.chip(item.text, html`<span class="emoji" aria-hidden="true">${item.icon}</span>`))}
      </ul>
    </div>`;
  }

  private chip(text: string, mark: unknown) {
    return html`<li>
      <button class="chip follow-up" ?disabled=${this.busy} @click=${() => this.actions.send(text)}>
        ${mark}<span dir="auto">${text}</span>
      </button>
    </li>`;
  }

  private footer() {
    const { message, words } = this;
    if (!message.text) return nothing;
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
          ? this.tool("answer_again", "retry", () => this.actions.answerAgain(message.key), this.busy)
          : nothing
      }
      ${this.tool(this.isCopied ? "copied" : "copy", this.isCopied ? "check" : "copy", () => this.copy())}
      ${this.tool(this.speaking ? "stop_reading" : "read_aloud", this.speaking ? "mute" : "speak", () =>
        this.actions.speak(message.key),
      )}
      <aisha-feedback .message=${message} .words=${words} .actions=${this.actions}></aisha-feedback>
      <span class="when" title=${this.timing()}>${words.moment(message.at)}</span>
    </div>`;
  }

  private tool(
    label: "answer_again" | "copy" | "copied" | "edit_message" | "read_aloud" | "stop_reading",
    name: IconName,
    act: () => void,
    isDisabled = false,
  ) {
    const text = this.words.say(label);
    return html`<button
      class="icon-button small"
      aria-label=${text}
      title=${text}
      ?disabled=${isDisabled}
      @click=${act}
    >
      ${icon(name, 15)}
    </button>`;
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

function mark(text: string, name: IconName = "alert") {
  return html`<p class="mark">${icon(name, 14)}<span>${text}</span></p>`;
}

function isRetryable(status: number): boolean {
  return ![402, 403, 404, 410, 413, 422].includes(status);
}

/** Return the names of the data that the assistant asks for. */
function neededNames(needs: Record<string, unknown>): string {
  const names = Object.values(needs).flatMap((part) => {
    if (Array.isArray(part))
      return part.map((one) => (typeof one === "string" ? one : String((one as { id?: unknown })?.id ?? "")));
    return part && typeof part === "object" ? Object.keys(part) : [];
  });
  return names.filter(Boolean).map(readable).join(", ").toLowerCase();
}
