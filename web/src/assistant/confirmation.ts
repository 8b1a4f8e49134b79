/** A call that waits for the user: what will be done, in full, until when, and the buttons that decide. */

import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { property, query, state } from "lit/decorators.js";
import { element } from "./element.js";
import type { Actions } from "./actions.js";
import { argumentList, type Names } from "./arguments.js";
import { icon } from "./icons.js";
import { renderMarkdown } from "./markdown.js";
import type { Decision, Message, PlanStep } from "./message.js";
import "./plan.js";
import { prose } from "./prose.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

interface Alternative {
  label: string;
  value: string;
}

const OUTCOMES = {
  approved: "confirm_approved",
  rejected: "confirm_rejected",
  settled: "confirm_settled",
  expired: "confirm_expired",
} as const satisfies Record<Decision, string>;
const MARKS = { approved: "check", rejected: "close", settled: "clock", expired: "clock" } as const;
const HURRY_SECONDS = 60;

@element("aisha-confirmation")
export class AishaConfirmation extends LitElement {
  static override styles = [
    base,
    prose,
    css`
      :host {
        display: block;
      }

      .card {
        margin-block: var(--aisha-2);
        border: 1px solid var(--aisha-line-strong);
        border-radius: var(--aisha-radius);
        background: var(--aisha-raised);
        overflow: hidden;
      }

      .card.danger {
        border-color: var(--aisha-danger);
      }

      h3 {
        display: flex;
        align-items: center;
        gap: var(--aisha-2);
        margin: 0;
        padding: var(--aisha-2) var(--aisha-3);
        font-size: var(--aisha-text-s);
        font-weight: 600;
        color: var(--aisha-accent);
        background: var(--aisha-accent-soft);
      }

      .danger h3 {
        color: var(--aisha-danger);
        background: var(--aisha-danger-soft);
      }

      .settled h3 {
        color: var(--aisha-muted);
        background: none;
        border-block-end: 1px solid var(--aisha-line);
      }

      .body {
        padding: var(--aisha-3);
      }

      .after:not(:empty) {
        margin-block-start: var(--aisha-3);
        font-size: var(--aisha-text-s);
      }

      .exact {
        margin: var(--aisha-3) 0 0;
        padding: var(--aisha-2) var(--aisha-3);
        background: var(--aisha-bg);
        border-radius: var(--aisha-radius-s);
        font-size: var(--aisha-text-s);
      }

      .exact > p {
        margin: 0 0 var(--aisha-1);
        font-size: var(--aisha-text-xs);
        font-weight: 600;
        color: var(--aisha-muted);
      }

      .scroll {
        max-block-size: 260px;
        overflow: auto;
      }

      dl {
        margin: 0;
      }

      dl > div {
        display: grid;
        grid-template-columns: minmax(72px, 30%) 1fr;
        gap: var(--aisha-2);
        padding-block: 2px;
      }

      dt {
        color: var(--aisha-muted);
        overflow-wrap: anywhere;
      }

      dd {
        margin: 0;
        min-inline-size: 0;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }

      dd ul {
        margin: 0;
        padding-inline-start: var(--aisha-4);
        white-space: normal;
      }

      .none {
        margin: 0;
      }

      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: var(--aisha-2);
        margin-block-start: var(--aisha-3);
      }

      .buttons.choices {
        flex-direction: column;
      }

      .choice {
        justify-content: flex-start;
        text-align: start;
        font-weight: 400;
        overflow-wrap: anywhere;
      }

      .time {
        display: flex;
        align-items: center;
        gap: 6px;
        margin-block: var(--aisha-2) 0;
        font-size: var(--aisha-text-xs);
        color: var(--aisha-muted);
        font-variant-numeric: tabular-nums;
      }

      .time.hurry {
        color: var(--aisha-warn);
      }
    `,
  ];

  @property({ attribute: false }) message!: Message;
  @property({ attribute: false }) names: Names = new Map();
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @property({ type: Boolean }) busy = false;
  @state() private left = 0;
  @query(".before") private opening!: HTMLElement;
  @query(".after") private closing!: HTMLElement;

  private timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => this.tick(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("message")) this.tick();
  }

  override firstUpdated(): void {
    const { plan, confirmation } = this.message;
    const { question, alternatives } = confirmation!;
    // What the question numbers is shown as steps and as buttons, between what stands before and after it.
    const [before, after] = plan || alternatives ? question.split(/(?:^\d+\. .*$\n?)+/m) : [question];
    this.opening.replaceChildren(renderMarkdown(before ?? ""));
    this.closing.replaceChildren(renderMarkdown(after ?? ""));
  }

  override render() {
    const { words, message } = this;
    const asked = message.confirmation!;
    const isSelect = asked.confirmationType === "select";
    const { decision } = message;
    const title = isSelect ? "confirm_choose" : asked.isDestructive ? "confirm_title_danger" : "confirm_title";
    return html`<div
      role="group"
      class="card ${decision ? "settled" : asked.isDestructive ? "danger" : ""}"
      aria-labelledby="title"
    >
      <h3 id="title">
        ${icon(decision ? MARKS[decision] : "alert", 16)} ${words.say(decision ? OUTCOMES[decision] : title)}
      </h3>
      <div class="body">
        <div class="prose before" dir="auto"></div>
        ${message.plan ? this.plan(message.plan) : isSelect ? nothing : this.exact()}
        <div class="prose after" dir="auto"></div>
        ${decision ? this.again(decision) : isSelect ? this.choices() : this.yesNo()}
      </div>
    </div>`;
  }

  private plan(steps: readonly PlanStep[]) {
    return steps.length ? html`<aisha-plan .steps=${steps} .words=${this.words}></aisha-plan>` : nothing;
  }

  private exact() {
    const { words, names } = this;
    const { confirmation, decision } = this.message;
    return html`<div class="exact">
      <p id="exact">${words.say(decision ? "confirm_decided" : "confirm_details")}</p>
      <div class="scroll" tabindex="0" role="group" aria-labelledby="exact">
        ${argumentList(confirmation!.arguments, names, words)}
      </div>
    </div>`;
  }

  private yesNo() {
    const { words, message, actions } = this;
    const { isDestructive, tool } = message.confirmation!;
    const yes = /^delete_/.test(tool) ? "confirm_yes_delete" : /^send_/.test(tool) ? "confirm_yes_send" : "confirm_yes";
    return html`<div class="buttons">
        <button
          class="button ${isDestructive ? "danger" : "primary"}"
          ?disabled=${this.busy}
          @click=${() => actions.decide(message.key, "approve")}
        >
          ${words.say(yes)}
        </button>
        <button class="button" ?disabled=${this.busy} @click=${() => actions.decide(message.key, "reject")}>
          ${words.say("confirm_no")}
        </button>
      </div>
      ${this.time()}`;
  }

  private choices() {
    const { words, message, actions } = this;
    const alternatives = (message.confirmation!.alternatives ?? []) as Alternative[];
    return html`<div class="buttons choices">
        ${alternatives.map(
          ({ label, value }) =>
            html`<button
              class="button choice"
              dir="auto"
              ?disabled=${this.busy}
              @click=${() => actions.decide(message.key, "approve", value)}
            >
              ${label}
            </button>`,
        )}
        <button class="button" ?disabled=${this.busy} @click=${() => actions.decide(message.key, "reject")}>
          ${words.say("confirm_none")}
        </button>
      </div>
      ${this.time()}`;
  }

  private time() {
    const time = `${Math.floor(this.left / 60)}:${String(this.left % 60).padStart(2, "0")}`;
    return html`<p class="time ${this.left < HURRY_SECONDS ? "hurry" : ""}">
      ${icon("clock", 14)} <span dir="auto">${this.words.say("confirm_time", { time })}</span>
    </p>`;
  }

  private again(decision: Decision) {
    if (decision !== "expired") return nothing;
    return html`<div class="buttons">
      <button class="button" ?disabled=${this.busy} @click=${() => this.actions.askAgain(this.message.key)}>
        ${icon("retry", 15)} ${this.words.say("confirm_again")}
      </button>
    </div>`;
  }

  private tick(): void {
    const { confirmation, decision, key } = this.message;
    if (!confirmation || decision) return;
    this.left = Math.max(0, Math.ceil((Date.parse(confirmation.expiresAt) - Date.now()) / 1000));
    // Not while rendering: the element around this one is changed by it.
    if (this.left === 0) queueMicrotask(() => this.actions.expire(key));
  }
}
