/** The tool calls of an answer: which is at work, how each ended, and its arguments on demand. */

import { LitElement, css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { element } from "./element.js";
import { argumentList, type Names } from "./arguments.js";
import { icon } from "./icons.js";
import type { Step, StepState } from "./message.js";
import { base } from "./theme.js";
import { toolWords } from "./tool_words.js";
import type { Words } from "./words.js";

@element("aisha-steps")
export class AishaSteps extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
        font-size: var(--aisha-text-s);
        color: var(--aisha-muted);
      }

      summary {
        display: inline-flex;
        align-items: center;
        gap: var(--aisha-1);
        min-block-size: 24px;
        cursor: pointer;
        list-style: none;
        border-radius: var(--aisha-radius-s);
      }

      summary::-webkit-details-marker {
        display: none;
      }

      summary:hover {
        color: var(--aisha-ink);
      }

      summary > .chevron svg {
        display: block;
        transition: transform var(--aisha-speed);
      }

      details[open] > summary > .chevron svg {
        transform: rotate(180deg);
      }

      ol {
        list-style: none;
        margin: var(--aisha-1) 0 var(--aisha-2);
        padding: 0 0 0 var(--aisha-3);
        padding-inline: var(--aisha-3) 0;
        border-inline-start: 2px solid var(--aisha-line);
      }

      li > details > summary {
        display: flex;
      }

      .time {
        margin-inline-start: auto;
        font-variant-numeric: tabular-nums;
        font-size: var(--aisha-text-xs);
      }

      .state {
        display: inline-grid;
        place-items: center;
        inline-size: 18px;
        flex: none;
      }

      .done {
        color: var(--aisha-good);
      }
      .failed {
        color: var(--aisha-danger);
      }
      .waiting {
        color: var(--aisha-warn);
      }

      .spinner {
        inline-size: 12px;
        block-size: 12px;
        border: 2px solid var(--aisha-line-strong);
        border-block-start-color: var(--aisha-accent);
        border-radius: 50%;
        animation: turn 900ms linear infinite;
      }

      @keyframes turn {
        to {
          transform: rotate(1turn);
        }
      }

      .arguments,
      .none {
        margin: 0 0 var(--aisha-2) 22px;
        margin-inline: 22px 0;
        font-size: var(--aisha-text-xs);
        overflow-wrap: anywhere;
      }

      .arguments > div {
        display: flex;
        gap: var(--aisha-2);
      }

      dt::after {
        content: ":";
      }

      dd {
        margin: 0;
        color: var(--aisha-ink);
        min-inline-size: 0;
      }

      dd ul {
        margin: 0;
        padding-inline-start: var(--aisha-4);
      }

      dd .arguments {
        margin: 0;
      }
    `,
  ];

  @property({ attribute: false }) steps: readonly Step[] = [];
  @property({ attribute: false }) names: Names = new Map();
  @property({ attribute: false }) words!: Words;

  override render() {
    if (!this.steps.length) return nothing;
    const total = this.steps.reduce((sum, step) => sum + (step.durationMs ?? 0), 0);
    return html`<details>
      <summary>
        <span dir="auto"
          >${this.words.count("steps", this.steps.length)}${total ? html` · ${this.words.seconds(total)}` : nothing}</span
        >
        <span class="chevron">${icon("chevron", 14)}</span>
      </summary>
      <ol>
        ${this.steps.map((step) => this.step(step))}
      </ol>
    </details>`;
  }

  private step(step: Step) {
    const found = /^\d+$/.test(step.outcome) ? this.words.count("found", Number(step.outcome)) : step.outcome;
    return html`<li>
      <details>
        <summary>
          <span class="state ${step.state}">${this.mark(step.state)}</span>
          <span dir="auto">${toolWords(step.tool, this.words)}${found ? html` · ${found}` : nothing}</span>
          <span class="time" dir="auto"
            >${step.durationMs === null ? nothing : this.words.seconds(step.durationMs)}</span
          >
        </summary>
        ${argumentList(step.arguments, this.names, this.words)}
      </details>
    </li>`;
  }

  private mark(state: StepState) {
    const label = html`<span class="hidden-text">${this.words.say(`step_${state}`)}</span>`;
    if (state === "running") return html`<span class="spinner"></span>${label}`;
    const name = state === "done" ? "check" : state === "failed" ? "close" : "clock";
    return html`${icon(name, 14)}${label}`;
  }
}
