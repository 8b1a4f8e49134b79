/** Sweeps and their jobs, and the health of what the assistant depends on. */

import { LitElement, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import type { Desk } from "../desk.js";
import { milliseconds, moment, nameOf, number } from "../format.js";
import { Loader } from "../loader.js";
import { partName } from "../records.js";
import { badge, ui } from "../ui.js";
import { named, say } from "../words.js";

type Sweep = components["schemas"]["Sweep"];
type Health = components["schemas"]["Health"];

@element("desk-operations")
export class DeskOperations extends LitElement {
  static override styles = [base, ui];

  @property({ attribute: false }) desk!: Desk;
  private readonly sweep = new Loader<Sweep>(this, () => dataOf(this.desk.api.rest.GET("/api/ai/sweeps")));
  private readonly health = new Loader<Health>(this, () => dataOf(this.desk.api.rest.GET("/health")));

  protected override render(): TemplateResult {
    return html`<div class="head">
        <button class="button end" @click=${this.refresh}>${say("refresh")}</button>
      </div>
      <div class="grid">
        <section class="card">
          <h2>${say("tab_health")}</h2>
          ${this.health.show(
            (health) =>
              html`<dl class="fields">
                ${health.dependencies.map(
                  (one) =>
                    html`<dt>${partName(one.name)}</dt>
                      <dd>
                        ${badge(one.state)}
                        <span class="muted"
                          >${one.detail ? html`<span lang="en">${one.detail}</span> · ` : nothing}${milliseconds(one.durationMs)}</span
                        >
                      </dd>`,
                )}
              </dl>`,
          )}
        </section>
        <section class="card stack">
          <h2>${say("sweep")}</h2>
          ${this.sweep.show((sweep) => this.state(sweep))}
        </section>
      </div>`;
  }

  private state(sweep: Sweep): TemplateResult {
    return html`<dl class="fields">
        <dt>${say("sweep_state")}</dt>
        <dd>${badge(sweep.status)}</dd>
        <dt>${say("sweep_daily")}</dt>
        <dd>${say(sweep.isEnrolled ? "yes" : "sweep_later")}</dd>
        ${
          sweep.startedAt
            ? html`<dt>${say("sweep_began")}</dt>
                <dd>${moment(sweep.startedAt)}</dd>
                <dt>${say("column_records")}</dt>
                <dd>
                  ${say(sweep.truncated ? "sweep_partly" : "sweep_read", {
                    records: number(sweep.recordsExamined ?? 0),
                    pages: number(sweep.pages ?? 0),
                  })}
                </dd>`
            : nothing
        }
        ${sweep.scans.map(
          (scan) =>
            html`<dt>${named("scan_", scan.scanType, nameOf(scan.scanType))}</dt>
              <dd>
                ${say("sweep_found", { found: number(scan.findings), fresh: number(scan.newFindings) })}
                ${scan.failedPages ? badge(say("sweep_failed", { count: scan.failedPages }), "bad") : nothing}
              </dd>`,
        )}
      </dl>
      <h2>${say("sweep_jobs")}</h2>
      ${
        sweep.jobs.length
          ? html`<dl class="fields">
              ${sweep.jobs.map(
                (job) =>
                  html`<dt>${job.name}</dt>
                    <dd>${badge(job.status, job.status === "running" ? "accent" : "")}</dd>`,
              )}
            </dl>`
          : html`<p class="muted">${say("none")}</p>`
      }`;
  }

  private refresh(): void {
    void this.sweep.load();
    void this.health.load();
  }
}
