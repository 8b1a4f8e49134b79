/** A list of one kind of records: search, a filter by status, pages, and marks for what has just changed. */

import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import type { Desk } from "./desk.js";
import { money, nameOf, relative } from "./format.js";
import { RecordList } from "./record_list.js";
import { label, remark, uncapitalised, valueLabel, type CrmRecord, type Kind } from "./records.js";
import { empty, failed, skeleton, ui, valueBadge } from "./ui.js";
import { say, type Text } from "./words.js";

interface Column {
  title: Text;
  cell(record: CrmRecord): unknown;
  isNumber?: boolean;
}

const OWNER: Column = {
  title: "field_owner",
  cell: (record) => (record["owner"] ? nameOf(String(record["owner"])) : "—"),
};
const TOUCHED: Column = { title: "field_last_contacted_at", cell: (record) => relative(record["last_contacted_at"]) };
const COMPANY: Column = { title: "field_company", cell: (record) => record["company"] ?? "—" };
const COLUMNS: Partial<Record<Kind["type"], Column[]>> = {
  lead: [
    COMPANY,
    { title: "field_status", cell: (record) => valueBadge(record, "status") },
    { title: "field_score", cell: (record) => record["score"] ?? "—", isNumber: true },
    { title: "field_value", cell: (record) => money(record["estimated_value"] ?? NaN), isNumber: true },
    TOUCHED,
    OWNER,
  ],
  contact: [
    COMPANY,
    { title: "field_job_title", cell: (record) => record["job_title"] ?? "—" },
    { title: "field_email", cell: (record) => record["email"] ?? "—" },
    TOUCHED,
    OWNER,
  ],
  account: [
    { title: "field_industry", cell: (record) => record["industry"] ?? "—" },
    { title: "field_type", cell: (record) => valueBadge(record, "type") },
    { title: "field_health", cell: (record) => valueBadge(record, "health") },
    {
      title: "field_annual_revenue",
      cell: (record) => money(record["annual_revenue"] ?? NaN, "USD", true),
      isNumber: true,
    },
    OWNER,
  ],
  note: [
    { title: "column_about", cell: (record) => (record["related"] as { name?: string } | undefined)?.name ?? "—" },
    { title: "field_note_type", cell: (record) => valueBadge(record, "note_type") },
    { title: "column_written", cell: (record) => relative(record["created_at"]) },
    OWNER,
  ],
};
const STATUS_FIELDS: Partial<Record<Kind["type"], "status" | "health">> = { lead: "status", account: "health" };
const SEARCH_MS = 250;

@element("desk-table")
export class DeskTable extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      .more {
        margin-block-start: var(--aisha-4);
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @property({ attribute: false }) kind!: Kind;
  @state() private search = "";
  @state() private status = "";
  private list: RecordList | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("kind")) return;
    this.list?.hostDisconnected();
    this.list = new RecordList(this, this.kind.type);
    [this.search, this.status] = ["", ""];
    void this.list.load();
  }

  protected override render(): TemplateResult {
    const list = this.list!;
    const title = label(this.kind, this.desk.profile.labels, true);
    return html`<div class="head">
        <h1>${title}</h1>
        <span class="muted">${list.total ?? ""}</span>
        <search class="row end">
          ${this.statuses()}
          <input
            type="search"
            placeholder=${say("search_by_name")}
            aria-label=${say("search_in", { kinds: uncapitalised(title) })}
            .value=${this.search}
            @input=${(event: Event) => this.find((event.target as HTMLInputElement).value)}
          />
        </search>
      </div>
      ${this.content(list, title)}`;
  }

  private content(list: RecordList, title: string): TemplateResult {
    if (list.error) return failed(list.error, () => this.load());
    if (list.isLoading && !list.items.length) return skeleton();
    if (!list.items.length) {
      return empty(this.search || this.status ? say("nothing_fits") : say("none_yet", { kinds: uncapitalised(title) }));
    }
    const columns = COLUMNS[this.kind.type] ?? [OWNER];
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
        <table>
          <thead>
            <tr>
              <th scope="col">${say(this.kind.type === "note" ? "kind_note" : "column_name")}</th>
              ${columns.map((one) => html`<th scope="col" class=${one.isNumber ? "number" : ""}>${say(one.title)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${list.items.map((record) => this.row(record, columns))}
          </tbody>
        </table>
      </div>
      ${
        list.next
          ? html`<button class="button more" ?disabled=${list.isLoading} @click=${() => list.more()}>
              ${say("show_more")}
            </button>`
          : nothing
      }`;
  }

  private row(record: CrmRecord, columns: Column[]): TemplateResult {
    const mark = this.desk.feed.markOf(record.id);
    return html`<tr class=${mark ? "marked" : ""}>
      <td class="name">
        <a class="link" dir="auto" href="#/${this.kind.page}/${record.id}">${shortened(record)}</a>
        ${mark ? html` <span class="badge accent">${remark(mark)}</span>` : nothing}
      </td>
      ${columns.map((one) => html`<td class=${one.isNumber ? "number" : ""} dir="auto">${one.cell(record)}</td>`)}
    </tr>`;
  }

  /** The filter by what the API calls the status of this type of record. */
  private statuses(): TemplateResult | typeof nothing {
    const field = STATUS_FIELDS[this.kind.type];
    const values = (field && this.desk.profile.values[`${this.kind.type}.${field}`]) || [];
    if (!field || !values.length) return nothing;
    return html`<select
      aria-label=${say(`field_${field}`)}
      .value=${this.status}
      @change=${(event: Event) => {
        this.status = (event.target as HTMLSelectElement).value;
        void this.load();
      }}
    >
      <option value="">${say(`any_${field}`)}</option>
      ${values.map((one) => html`<option value=${one.key} ?selected=${one.key === this.status}>${valueLabel(one)}</option>`)}
    </select>`;
  }

  private find(text: string): void {
    this.search = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), SEARCH_MS);
  }

  private load(): Promise<void> {
    return this.list!.load({
      ...(this.search.trim() ? { name_contains: this.search.trim() } : {}),
      ...(this.status ? { status: this.status } : {}),
    });
  }
}

/** Return what a row is called; a note is called by the beginning of its text, which says where it is cut. */
function shortened(record: CrmRecord): string {
  const { display_name: name, content } = record;
  return typeof content === "string" && content.length > name.length && content.startsWith(name) ? `${name}…` : name;
}
