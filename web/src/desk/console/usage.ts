/** Usage and cost by user, model and day, against the month's budget, and the plan's limits. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import "../chart.js";
import type { Desk } from "../desk.js";
import { cost, date, nameOf, number } from "../format.js";
import { Loader } from "../loader.js";
import { ui } from "../ui.js";

type Usage = components["schemas"]["TenantUsage"];
type Row = components["schemas"]["UsageRow"];

/** The share of the budget from which its bar warns. */
const NEAR_BUDGET = 0.75;

@element("desk-usage")
export class DeskUsage extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      progress[data-state="near"]::-webkit-progress-value {
        background: var(--aisha-warn);
      }

      progress[data-state="near"]::-moz-progress-bar {
        background: var(--aisha-warn);
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @property() theme = "";
  @state() private days = 30;
  private readonly loader = new Loader<Usage>(this, () =>
    dataOf(this.desk.api.rest.GET("/api/ai/usage", { params: { query: { days: this.days } } })),
  );

  protected override render(): TemplateResult {
    return html`<div class="head">
        <label class="row">
          <span class="muted">Time</span>
          <select @change=${this.choose}>
            ${[7, 30, 90].map(
              (days) => html`<option value=${days} ?selected=${days === this.days}>Last ${days} days</option>`,
            )}
          </select>
        </label>
      </div>
      ${this.loader.show((usage) => this.usage(usage))}`;
  }

  private usage(usage: Usage): TemplateResult {
    const { budget } = usage;
    const share = budget.budgetUsd ? budget.spentUsd / budget.budgetUsd : 0;
    const limits = this.desk.profile.admin?.limits;
    const days = usage.byDay.map((row) => date(row.name));
    return html`<div class="grid">
        <section class="card stack">
          <h2>Budget of this month</h2>
          <p><strong>${cost(budget.spentUsd)}</strong> of ${cost(budget.budgetUsd)} (${Math.round(share * 100)}%)</p>
          <progress
            max=${budget.budgetUsd || 1}
            value=${budget.spentUsd}
            data-state=${share < NEAR_BUDGET ? "usual" : "near"}
            aria-label="Spent of the budget"
          ></progress>
          ${
            limits
              ? html`<dl class="fields">
                  <dt>Plan</dt>
                  <dd>${nameOf(this.desk.profile.admin!.plan)}</dd>
                  <dt>Requests</dt>
                  <dd>
                    ${number(limits.userPerMinute)} a minute for each user, ${number(limits.tenantPerHour)} an hour for
                    all
                  </dd>
                </dl>`
              : nothing
          }
          <p class="muted">
            When the budget is used up no paid model is asked; the offline planner goes on answering at no cost.
          </p>
        </section>
        <section class="card">
          <h2>Turns by day</h2>
          ${
            days.length
              ? html`<desk-chart
                  caption="Turns by day"
                  .labels=${days}
                  .series=${[
                    { name: "Answered", values: usage.byDay.map((row) => row.turns - row.failed) },
                    { name: "Failed", values: usage.byDay.map((row) => row.failed) },
                  ]}
                  .format=${number}
                  theme=${this.theme}
                ></desk-chart>`
              : html`<p class="muted">No turns yet.</p>`
          }
        </section>
        ${this.table("By user", usage.byUser, nameOf)} ${this.table("By model", usage.byModel, String)}
      </div>
      ${usage.truncated ? html`<p class="muted">Only the newest 2,000 turns and commands are counted.</p>` : nothing}`;
  }

  private table(title: string, rows: Row[], name: (text: string) => string): TemplateResult {
    return html`<section class="card">
      <h2>${title}</h2>
      ${rows.length ? this.rows(title, rows, name) : html`<p class="muted">No turns yet.</p>`}
    </section>`;
  }

  private rows(title: string, rows: Row[], name: (text: string) => string): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
      <table>
        <thead>
          <tr>
            <th scope="col">${title.replace("By ", "").replace(/^./, (one) => one.toUpperCase())}</th>
            <th scope="col" class="number">Turns</th>
            <th scope="col" class="number">Failed</th>
            <th scope="col" class="number">Tokens</th>
            <th scope="col" class="number">Cost</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <td class="name">${name(row.name)}</td>
                <td class="number">${number(row.turns)}</td>
                <td class="number">${number(row.failed)}</td>
                <td class="number">${number(row.inputTokens + row.outputTokens)}</td>
                <td class="number">${cost(row.costUsd)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private choose(event: Event): void {
    this.days = Number((event.target as HTMLSelectElement).value);
    void this.loader.load();
  }
}
