/** Usage and cost by user, model and day, against the month's budget, and the plan's limits. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import "../chart.js";
import type { Desk } from "../desk.js";
import { cost, date, nameOf, number, percent } from "../format.js";
import { Loader } from "../loader.js";
import { ui } from "../ui.js";
import { say } from "../words.js";

type Usage = components["schemas"]["TenantUsage"];
type Row = components["schemas"]["UsageRow"];

/** The share of the budget from which its bar warns. */
const NEAR_BUDGET = 0.75;
/** How many turns the API counts at most. */
const MAX_COUNTED = 2000;

@element("desk-usage")
export class DeskUsage extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      .wide {
        grid-column: 1 / -1;
      }

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
          <span class="muted">${say("column_time")}</span>
          <select @change=${this.choose}>
            ${[7, 30, 90].map(
              (days) =>
                html`<option value=${days} ?selected=${days === this.days}>
                  ${say("last_days", { count: days })}
                </option>`,
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
          <h2>${say("budget")}</h2>
          <p>
            <strong>${cost(budget.spentUsd)}</strong>
            ${say("budget_of", { budget: cost(budget.budgetUsd), percent: percent(share) })}
          </p>
          <progress
            max=${budget.budgetUsd || 1}
            value=${budget.spentUsd}
            data-state=${share < NEAR_BUDGET ? "usual" : "near"}
            aria-label=${say("budget_spent")}
          ></progress>
          ${
            limits
              ? html`<dl class="fields">
                  <dt>${say("plan")}</dt>
                  <dd>${nameOf(this.desk.profile.admin!.plan)}</dd>
                  <dt>${say("requests")}</dt>
                  <dd>
                    ${say("requests_limit", {
                      user: number(limits.userPerMinute),
                      tenant: number(limits.tenantPerHour),
                    })}
                  </dd>
                </dl>`
              : nothing
          }
          <p class="muted">${say("budget_hint")}</p>
        </section>
        <section class="card">
          <h2>${say("turns_by_day")}</h2>
          ${
            days.length
              ? html`<desk-chart
                  caption=${say("turns_by_day")}
                  .labels=${days}
                  .series=${[
                    { name: say("turns_answered"), values: usage.byDay.map((row) => row.turns - row.failed) },
                    { name: say("column_failed"), values: usage.byDay.map((row) => row.failed) },
                  ]}
                  .format=${number}
                  theme=${this.theme}
                ></desk-chart>`
              : html`<p class="muted">${say("no_turns")}</p>`
          }
        </section>
        ${this.table("user", usage.byUser, nameOf)} ${this.table("model", usage.byModel, String)}
      </div>
      ${usage.truncated ? html`<p class="muted">${say("usage_cut", { count: number(MAX_COUNTED) })}</p>` : nothing}`;
  }

  private table(part: "user" | "model", rows: Row[], name: (text: string) => string): TemplateResult {
    return html`<section class="card wide">
      <h2>${say(`by_${part}`)}</h2>
      ${rows.length ? this.rows(part, rows, name) : html`<p class="muted">${say("no_turns")}</p>`}
    </section>`;
  }

  private rows(part: "user" | "model", rows: Row[], name: (text: string) => string): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${say(`by_${part}`)}>
      <table>
        <thead>
          <tr>
            <th scope="col">${say(`column_${part}`)}</th>
            <th scope="col" class="number">${say("column_turns")}</th>
            <th scope="col" class="number">${say("column_failed")}</th>
            <th scope="col" class="number">${say("column_tokens")}</th>
            <th scope="col" class="number">${say("column_cost")}</th>
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
