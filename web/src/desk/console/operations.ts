/** Sweeps and their jobs, and the health of what the assistant depends on. */

import { LitElement, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import type { Desk } from "../desk.js";
import { milliseconds, moment, nameOf, number } from "../format.js";
import { Loader } from "../loader.js";
import { badge, ui } from "../ui.js";

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
        <button class="button end" @click=${this.refresh}>Refresh</button>
      </div>
      <div class="grid">
        <section class="card">
          <h2>Health</h2>
          ${this.health.show(
            (health) =>
              html`<dl class="fields">
                ${health.dependencies.map(
                  (one) =>
                    html`<dt>${nameOf(one.name)}</dt>
                      <dd>
                        ${badge(one.state)}
                        <span class="muted">${one.detail ?? ""} ${milliseconds(one.durationMs)}</span>
                      </dd>`,
                )}
              </dl>`,
          )}
        </section>
        <section class="card stack">
          <h2>Last sweep</h2>
          ${this.sweep.show((sweep) => this.state(sweep))}
        </section>
      </div>`;
  }

  private state(sweep: Sweep): TemplateResult {
    return html`<dl class="fields">
        <dt>State</dt>
        <dd>${badge(sweep.status)}</dd>
        <dt>Every day</dt>
        <dd>
          ${
            sweep.isEnrolled
              ? "Yes"
              : "Not yet: it begins when somebody runs a scan or saves their notification settings"
          }
        </dd>
        ${
          sweep.startedAt
            ? html`<dt>Began</dt>
                <dd>${moment(sweep.startedAt)}</dd>
                <dt>Records</dt>
                <dd>
                  ${number(sweep.recordsExamined ?? 0)} on ${number(sweep.pages ?? 0)}
                  pages${sweep.truncated ? ", not all" : ""}
                </dd>`
            : nothing
        }
        ${sweep.scans.map(
          (scan) =>
            html`<dt>${nameOf(scan.scanType)}</dt>
              <dd>
                ${number(scan.findings)} found, ${number(scan.newFindings)} new
                ${scan.failedPages ? badge(`${scan.failedPages} pages failed`, "bad") : nothing}
              </dd>`,
        )}
      </dl>
      <h2>Open jobs</h2>
      ${
        sweep.jobs.length
          ? html`<dl class="fields">
              ${sweep.jobs.map(
                (job) =>
                  html`<dt>${job.name}</dt>
                    <dd>${badge(job.status, job.status === "running" ? "accent" : "")}</dd>`,
              )}
            </dl>`
          : html`<p class="muted">None.</p>`
      }`;
  }

  private refresh(): void {
    void this.sweep.load();
    void this.health.load();
  }
}
