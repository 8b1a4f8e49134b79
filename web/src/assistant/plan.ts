/** A plan of several steps that the user decides about as a whole: its steps in words, and how far each has come. */

import { LitElement, css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import type { Confirmation, TurnPart } from "../api/index.js";
import { capital } from "./arguments.js";
import { element } from "./element.js";
import { icon } from "./icons.js";
import type { PlanState, PlanStep } from "./message.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

interface StoredStep {
  id: number;
  description: string;
  status?: PlanState;
  reason?: string;
}

const RUN_PLAN = "run_plan";
const MARKS = {
  executed: "check",
  failed: "close",
  rejected: "close",
  skipped: "minimise",
  undone: "undo",
} as const;

/** Return the steps of a question about a plan; of several plans those of the choice. Null for another question. */
export function planOf(asked: Confirmation, choice: string | null = null): PlanStep[] | null {
  if (asked.tool !== RUN_PLAN || !Array.isArray(asked.arguments.plans)) return null;
  const alternatives = (asked.alternatives ?? []) as { value: string }[];
  const place = alternatives.length ? alternatives.findIndex((one) => one.value === choice) : 0;
  const steps = (asked.arguments.plans[place] ?? []) as StoredStep[];
  return steps.map((step) => ({
    state: "planned",
    reason: "",
    ...stateOf(step),
    id: step.id,
    text: capital(step.description),
  }));
}

/** Return the steps after a part of the stream in which they run: the id of a step's call ends with the step's. */
export function planAfter(steps: readonly PlanStep[], part: TurnPart): readonly PlanStep[] {
  if (part.type === "data-flow") {
    const ended = new Map(part.data.steps.map((step) => [step.id, step]));
    return steps.map((step) => ({ ...step, ...stateOf(ended.get(step.id) ?? {}) }));
  }
  const change: Partial<PlanStep> | null =
    part.type === "tool-input-available"
      ? { state: "running" }
      : part.type === "tool-output-available"
        ? { state: "executed" }
        : part.type === "tool-output-error"
          ? { state: "failed", reason: part.errorText }
          : null;
  if (!change || !("toolCallId" in part)) return steps;
  return steps.map((step) => (part.toolCallId.endsWith(`.${step.id}`) ? { ...step, ...change } : step));
}

/** Return the steps when no more parts come: what still runs is not known to be done. */
export function planEnded(steps: readonly PlanStep[]): readonly PlanStep[] {
  return steps.map((step) => (step.state === "running" ? { ...step, state: "planned" } : step));
}

function stateOf({ status, reason }: { status?: PlanState | null; reason?: string | null }): Partial<PlanStep> {
  return { ...(status ? { state: status } : {}), ...(reason ? { reason } : {}) };
}

@element("aisha-plan")
export class AishaPlan extends LitElement {
  static override styles = [
    base,
    css`
      ol {
        display: grid;
        gap: var(--aisha-2);
        margin: var(--aisha-3) 0 0;
        padding: 0;
        list-style: none;
        font-size: var(--aisha-text-s);
      }

      li {
        display: grid;
        grid-template-columns: 22px 1fr;
        gap: var(--aisha-2);
        line-height: 22px;
        overflow-wrap: anywhere;
      }

      .mark {
        display: grid;
        place-items: center;
        inline-size: 22px;
        block-size: 22px;
        border: 1px solid var(--aisha-line-strong);
        border-radius: 50%;
        font-size: var(--aisha-text-xs);
        color: var(--aisha-muted);
      }

      .executed .mark {
        color: var(--aisha-good);
        border-color: currentColor;
      }

      .failed .mark,
      .rejected .mark {
        color: var(--aisha-danger);
        border-color: currentColor;
      }

      .running .mark {
        border: 2px solid var(--aisha-line-strong);
        border-block-start-color: var(--aisha-accent);
        animation: turn 900ms linear infinite;
      }

      .skipped,
      .undone {
        color: var(--aisha-muted);
      }

      small {
        display: block;
        font-size: var(--aisha-text-xs);
        line-height: 1.4;
        color: var(--aisha-muted);
      }

      .failed small {
        color: var(--aisha-danger);
      }

      @keyframes turn {
        to {
          transform: rotate(1turn);
        }
      }
    `,
  ];

  @property({ attribute: false }) steps: readonly PlanStep[] = [];
  @property({ attribute: false }) words!: Words;

  override render() {
    const { words } = this;
    return html`<ol aria-label=${words.say("plan_steps")}>
      ${this.steps.map(
        ({ state, text, reason }, place) =>
          html`<li class=${state}>
            <span class="mark" aria-hidden="true"
              >${state === "planned" ? place + 1 : state === "running" ? nothing : icon(MARKS[state], 14)}</span
            >
            <span dir="auto"
              >${text}<span class="hidden-text">: ${words.say(`plan_${state}`)}</span>${
                reason ? html`<small dir="auto">${reason}</small>` : nothing
              }</span
            >
          </li>`,
      )}
    </ol>`;
  }
}
