/** The audit log with filters, and the state of its hash chain. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import { wordsOf, type Desk } from "../desk.js";
import { moment, nameOf, number } from "../format.js";
import { Loader } from "../loader.js";
import { doorName, valueName } from "../records.js";
import { badge, empty, ui } from "../ui.js";
import { say, type Text } from "../words.js";

type Audit = components["schemas"]["Audit"];
type Chain = components["schemas"]["Chain"];
type Status = components["schemas"]["AuditEntry"]["status"];

const STATUSES: Status[] = ["executed", "failed", "rejected", "pending", "not_found", "intended", "unreadable"];
const COLUMNS: Text[] = ["column_time", "column_user", "column_door", "column_tool", "field_status", "column_done"];

@element("desk-audit")
export class DeskAudit extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      form {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 130px), 1fr));
        gap: var(--aisha-3);
        align-items: end;
        margin-block: var(--aisha-4);
      }

      form :is(input, select) {
        block-size: 38px;
      }

      form .button {
        justify-self: start;
        block-size: 38px;
      }

      pre {
        padding: var(--aisha-2);
        background: var(--aisha-sunken);
        border-radius: var(--aisha-radius-s);
        max-block-size: 320px;
        overflow: auto;
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private filters: { tool?: string; user?: string; entity?: string; status?: Status } = {};
  private readonly log = new Loader<Audit>(this, () => this.page());
  private readonly chain = new Loader<Chain>(this, () => dataOf(this.desk.api.rest.GET("/api/ai/audit/verification")));

  protected override render(): TemplateResult {
    return html`${this.chain.show(
        (chain) =>
          html`<section class="card">
            <h2>${say("chain")} ${badge(chain.isIntact ? "intact" : "broken", chain.isIntact ? "good" : "bad")}</h2>
            <p>
              ${say("chain_entries", { count: number(chain.entries) })}
              ${chain.isIntact ? say("chain_intact") : nothing}
            </p>
            ${chain.problems.map((problem) => html`<p class="error" lang="en">${problem}</p>`)}
            ${chain.entries ? html`<p class="muted">${say("chain_head")} <code>${chain.head.hash}</code></p>` : nothing}
          </section>`,
      )}
      <form @submit=${this.filter}>
        <label class="field">${say("column_tool")} <input name="tool" placeholder="update_lead" /></label>
        <label class="field">${say("column_user")} <input name="user" placeholder="alice" /></label>
        <label class="field"
          >${say("column_record")} <input name="entity" placeholder=${say("audit_record_hint")}
        /></label>
        <label class="field"
          >${say("field_status")}
          <select name="status">
            <option value="">${say("any")}</option>
            ${STATUSES.map((status) => html`<option value=${status}>${valueName(status)}</option>`)}
          </select>
        </label>
        <button class="button primary">${say("filter")}</button>
      </form>
      ${this.log.show((audit) => this.table(audit))}`;
  }

  private table(audit: Audit): TemplateResult {
    if (!audit.items.length) {
      const isFiltered = Object.keys(this.filters).length > 0;
      return empty(say(isFiltered ? "audit_none_fits" : "audit_none"));
    }
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${say("audit_log")}>
        <table>
          <thead>
            <tr>
              ${COLUMNS.map((title) => html`<th scope="col">${say(title)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${audit.items.map(
              (entry) =>
                html`<tr>
                  <td>${moment(entry.at)}</td>
                  <td>${nameOf(entry.user)}</td>
                  <td>${doorName(entry.door)}</td>
                  <td>${entry.tool}</td>
                  <td>
                    ${badge(entry.status)} ${entry.severity === "normal" ? nothing : badge(entry.severity, "warn")}
                  </td>
                  <td class="name">
                    <span lang="en">${entry.line}</span>
                    <details>
                      <summary>${say("audit_details")}</summary>
                      <pre tabindex="0">
${JSON.stringify({ arguments: entry.arguments, receipts: entry.receipts, error: entry.error }, null, 2)}</pre>
                    </details>
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${audit.nextCursor ? html`<button class="button" @click=${() => this.more(audit)}>${say("show_more")}</button>` : nothing}`;
  }

  private page(cursor?: string): Promise<Audit> {
    const query = { ...this.filters, limit: 30, ...(cursor ? { cursor } : {}) };
    return dataOf(this.desk.api.rest.GET("/api/ai/audit", { params: { query } }));
  }

  private async more(audit: Audit): Promise<void> {
    try {
      const page = await this.page(audit.nextCursor!);
      this.log.value = { ...page, items: [...audit.items, ...page.items] };
      this.requestUpdate();
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
    }
  }

  private filter(event: SubmitEvent): void {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const given = [...fields].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value);
    this.filters = Object.fromEntries(given) as typeof this.filters;
    void this.log.load();
  }
}
