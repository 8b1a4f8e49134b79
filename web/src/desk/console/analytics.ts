/** Analytics: success rate, frequent commands, failures and times. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import "../chart.js";
import type { Desk } from "../desk.js";
import { milliseconds, moment, number, percent } from "../format.js";
import { Loader } from "../loader.js";
import { empty, ui } from "../ui.js";
import { say } from "../words.js";

type Summary = components["schemas"]["Summary"];

@element("desk-analytics")
export class DeskAnalytics extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      .figures {
        display: grid;
        gap: var(--aisha-3);
        grid-template-columns: repeat(auto-fit, minmax(max(112px, 30%), 1fr));
        margin-block-end: var(--aisha-4);
      }

      .figures strong {
        display: block;
        font-size: 22px;
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @property() theme = "";
  private readonly loader = new Loader<Summary>(this, () => dataOf(this.desk.api.rest.GET("/api/ai/analytics")));

  protected override render(): TemplateResult {
    return this.loader.show((summary) => this.summary(summary));
  }

  private summary(summary: Summary): TemplateResult {
    if (!summary.totalCommands) return empty(say("no_commands"));
    const times = summary.performanceMetrics;
    const figure = (title: string, value: string): TemplateResult =>
      html`<div class="card"><strong>${value}</strong><span class="muted">${title}</span></div>`;
    const average = (value: number | null | undefined): string => (value == null ? "—" : milliseconds(value));
    const frequent = summary.mostFrequentCommands;
    return html`<div class="figures">
        ${figure(say("commands"), number(summary.totalCommands))}
        ${figure(say("commands_succeeded"), percent(summary.successRate / 100))}
        ${figure(say("commands_whole"), average(times.avgTotalMs))}
        ${figure(say("column_model"), average(times.avgLlmMs))}
        ${figure(say("commands_heard"), average(times.avgSttMs))}
        ${figure(say("commands_spoken"), average(times.avgTtsMs))}
      </div>
      <div class="grid">
        <section class="card">
          <h2>${say("commands_frequent")}</h2>
          <desk-chart
            caption=${say("commands_frequent")}
            .labels=${frequent.map((one) => one.commandName)}
            .series=${[{ name: say("commands_times"), values: frequent.map((one) => one.count) }]}
            .format=${number}
            theme=${this.theme}
          ></desk-chart>
        </section>
        <section class="card">
          <h2>${say("commands_failures")}</h2>
          ${
            summary.recentFailures.length
              ? html`<dl class="fields">
                  ${summary.recentFailures.map(
                    (one) =>
                      html`<dt>${one.commandName}<br />${moment(one.timestamp)}</dt>
                        <dd>${one.errorMessage}</dd>`,
                  )}
                </dl>`
              : html`<p class="muted">${say("commands_none_failed", { count: number(summary.commandsRead) })}</p>`
          }
        </section>
      </div>
      ${summary.truncated ? html`<p class="muted">${say("commands_cut")}</p>` : nothing}`;
  }
}
