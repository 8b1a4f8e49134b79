/** One turn for debugging: prompt by section, tool calls, model calls, tokens, cost and times. */

import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import type { Desk } from "../desk.js";
import { cost, milliseconds, moment, nameOf, number } from "../format.js";
import { Loader } from "../loader.js";
import { doorName } from "../records.js";
import { badge, NO_MODEL, ui } from "../ui.js";
import { named, say } from "../words.js";

type Turn = components["schemas"]["Turn"];

@element("desk-turn")
export class DeskTurn extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      .share {
        display: grid;
        grid-template-columns: minmax(12ch, 22ch) 1fr auto;
        gap: var(--aisha-2) var(--aisha-3);
        align-items: center;
      }

      details {
        margin-block-start: var(--aisha-1);
      }

      .call {
        padding-block: var(--aisha-3);
        border-block-end: 1px solid var(--aisha-line);
        overflow-wrap: anywhere;
      }

      .call:last-child {
        border: 0;
      }

      pre {
        padding: var(--aisha-2);
        background: var(--aisha-sunken);
        border-radius: var(--aisha-radius-s);
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @property() messageId = "";
  private readonly loader = new Loader<Turn>(this, () =>
    dataOf(this.desk.api.rest.GET("/api/ai/turns/{id}", { params: { path: { id: this.messageId } } })),
  );

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.get("messageId")) void this.loader.load();
  }

  protected override render(): TemplateResult {
    return html`<p class="head"><a class="link" href="#/console/turns">${say("all_turns")}</a></p>
      ${this.loader.show((turn) => this.turn(turn))}`;
  }

  private turn(turn: Turn): TemplateResult {
    return html`<div class="grid">
      <section class="card">
        <h2>${say("turn")} ${badge(turn.status)}</h2>
        <dl class="fields">
          <dt>${say("turn_when")}</dt>
          <dd>${moment(turn.at)}</dd>
          <dt>${say("column_user")}</dt>
          <dd>${say("turn_user", { user: nameOf(turn.user), door: doorName(turn.door) })}</dd>
          <dt>${say("turn_mode")}</dt>
          <dd>${named("mode_", turn.mode, nameOf(turn.mode))}</dd>
          <dt>${say("column_model")}</dt>
          <dd>
            ${turn.provider === NO_MODEL ? "—" : `${turn.provider}: ${turn.model}`}
            ${turn.degraded ? badge("degraded", "warn") : nothing}
          </dd>
          <dt>${say("turn_calls")}</dt>
          <dd>${number(turn.iterations)}</dd>
          <dt>${say("column_tokens")}</dt>
          <dd>${say("turn_tokens", { read: number(turn.inputTokens), written: number(turn.outputTokens) })}</dd>
          <dt>${say("column_cost")}</dt>
          <dd><strong>${cost(turn.costUsd)}</strong></dd>
          ${
            turn.error
              ? html`<dt>${say("turn_error")}</dt>
                  <dd class="error">${turn.error}</dd>`
              : nothing
          }
          ${
            turn.warnings.length
              ? html`<dt>${say("turn_warnings")}</dt>
                  <dd>${turn.warnings.join(" ")}</dd>`
              : nothing
          }
          ${
            turn.asked
              ? html`<dt>${say("turn_asked")}</dt>
                  <dd>${turn.asked}</dd>`
              : nothing
          }
          <dt>${say("turn_ids")}</dt>
          <dd><code>${turn.messageId}</code><br /><code>${turn.conversationId}</code></dd>
        </dl>
      </section>
      ${this.shares(say("turn_steps"), turn.stepsMs, milliseconds, turn.totalMs)}
      ${this.shares(say("turn_prompt"), turn.promptTokens, number)}
      <section class="card">
        <h2>${say("turn_tools")}</h2>
        ${
          turn.calls.length
            ? turn.calls.map(
                (call) =>
                  html`<div class="call">
                    <strong>${call.name}</strong> ${badge(call.status)}
                    <span class="muted">${milliseconds(call.durationMs)}</span>
                    <p lang="en">${call.error ?? call.line}</p>
                    <details>
                      <summary>${say("turn_arguments")}</summary>
                      <pre>${JSON.stringify(call.arguments, null, 2)}</pre>
                    </details>
                  </div>`,
              )
            : html`<p class="muted">${say("turn_no_tools")}</p>`
        }
      </section>
      <p class="muted">${say("turn_private")}</p>
    </div>`;
  }

  private shares(
    title: string,
    parts: Record<string, number>,
    words: (value: number) => string,
    total?: number,
  ): TemplateResult {
    const rows = Object.entries(parts).filter(([, value]) => value > 0);
    const whole = total ?? rows.reduce((sum, [, value]) => sum + value, 0);
    return html`<section class="card">
      <h2>${title} <span class="muted">${words(whole)}</span></h2>
      ${
        rows.length
          ? html`<div class="share">
              ${rows
                .toSorted((one, other) => other[1] - one[1])
                .map(
                  ([name, value]) =>
                    html`<span lang="en">${nameOf(name)}</span>
                      <progress max=${whole || 1} value=${value} aria-label=${nameOf(name)}></progress>
                      <span class="number">${words(value)}</span>`,
                )}
            </div>`
          : html`<p class="muted">${say("turn_no_prompt")}</p>`
      }
    </section>`;
  }
}
