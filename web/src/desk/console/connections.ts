/** The connection to the team's CRM, its check, and the command that makes one. */

import { LitElement, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import { wordsOf, type Desk } from "../desk.js";
import { milliseconds, moment, number } from "../format.js";
import { Loader } from "../loader.js";
import { badge, ui } from "../ui.js";
import { say } from "../words.js";

type Connections = components["schemas"]["Connections"];
type Connection = Connections["items"][number];
type Connectable = Connections["connectable"][number];
type Line = components["schemas"]["Check"]["lines"][number];

@element("desk-connections")
export class DeskConnections extends LitElement {
  static override styles = [base, ui];

  @property({ attribute: false }) desk!: Desk;
  @state() private lines: Line[] | null = null;
  @state() private isChecking = false;
  @state() private chosen = "";
  private readonly loader = new Loader<Connections>(this, () => dataOf(this.desk.api.rest.GET("/api/ai/connections")));

  protected override render(): TemplateResult {
    return html`<div class="head">
        <button class="button end" @click=${() => this.loader.load()}>${say("refresh")}</button>
      </div>
      ${this.loader.show(
        ({ items, connectable }) =>
          html`<div class="grid">
            ${items.map((one) => html`${this.connection(one)}${this.check()}`)}
            ${items.length ? nothing : this.command(connectable)}
          </div>`,
      )}`;
  }

  private connection(one: Connection): TemplateResult {
    const rows: [string, unknown][] = [
      [say("connection_address"), one.url || "—"],
      [
        say("connection_state"),
        badge(say(one.phase === "ready" ? "connection_ready" : "connection_loading"), one.error ? "bad" : ""),
      ],
      [say("column_records"), number(one.loaded)],
      [say("connection_read"), one.syncedAt ? moment(one.syncedAt) : "—"],
      [say("connection_lag"), one.lagSeconds == null ? "—" : milliseconds(one.lagSeconds * 1000)],
      [say("connection_error"), one.error ? html`<span lang="en">${one.error}</span>` : say("none")],
    ];
    return html`<section class="card stack">
      <h2>${one.title}</h2>
      <dl class="fields">
        ${rows.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
      <h2>${say("connection_problems")}</h2>
      ${
        one.problems.length
          ? html`<ul lang="en">
              ${one.problems.map((problem) => html`<li>${problem}</li>`)}
            </ul>`
          : html`<p class="muted">${say("none")}</p>`
      }
    </section>`;
  }

  private check(): TemplateResult {
    return html`<section class="card stack">
      <h2>${say("connection_check")}</h2>
      <p class="muted">${say("connection_check_hint")}</p>
      <p>
        <button class="button" ?disabled=${this.isChecking} aria-busy=${this.isChecking} @click=${this.run}>
          ${say("connection_check_run")}
        </button>
      </p>
      <div role="status">
        ${
          this.lines &&
          html`<ul lang="en">
            ${this.lines.map((line) => html`<li>${line.failed ? html`<strong>${line.text}</strong>` : line.text}</li>`)}
          </ul>`
        }
      </div>
    </section>`;
  }

  private command(connectable: Connectable[]): TemplateResult {
    const chosen = connectable.find((one) => one.crm === this.chosen) ?? connectable[0];
    return html`<section class="card stack">
      <h2>${say("connection_none")}</h2>
      <p class="muted">${say("connection_how")}</p>
      <label
        >${say("connection_crm")}
        <select @change=${(event: Event) => (this.chosen = (event.target as HTMLSelectElement).value)}>
          ${connectable.map((one) => html`<option value=${one.crm} ?selected=${one === chosen}>${one.title}</option>`)}
        </select></label
      >
      ${
        chosen &&
        html`<p>${say("connection_secret", { secret: chosen.secret })}</p>
          <pre class="scroll" tabindex="0" lang="en">${chosen.command}</pre>`
      }
    </section>`;
  }

  private async run(): Promise<void> {
    this.isChecking = true;
    try {
      this.lines = (await dataOf(this.desk.api.rest.POST("/api/ai/connections/check"))).lines;
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
    }
    this.isChecking = false;
  }
}
