/** A list of one kind of records: search, a filter by status, pages, and marks for what has just changed. */

import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import type { Desk } from "./desk.js";
import { money, nameOf, relative } from "./format.js";
import { RecordList } from "./record_list.js";
import { label, type CrmRecord, type Kind } from "./records.js";
import { badge, empty, failed, skeleton, ui, valueBadge } from "./ui.js";

interface Column {
  title: string;
  cell(record: CrmRecord): unknown;
  isNumber?: boolean;
}

const OWNER: Column = { title: "Owner", cell: (record) => (record["owner"] ? nameOf(String(record["owner"])) : "—") };
const COLUMNS: Partial<Record<Kind["type"], Column[]>> = {
  lead: [
    { title: "Company", cell: (record) => record["company"] ?? "—" },
    { title: "Status", cell: (record) => valueBadge(record, "status") },
    { title: "Score", cell: (record) => record["score"] ?? "—", isNumber: true },
    { title: "Value", cell: (record) => money(record["estimated_value"] ?? NaN), isNumber: true },
    { title: "Last contact", cell: (record) => relative(record["last_contacted_at"]) },
    OWNER,
  ],
  contact: [
    { title: "Company", cell: (record) => record["company"] ?? "—" },
    { title: "Job title", cell: (record) => record["job_title"] ?? "—" },
    { title: "Email", cell: (record) => record["email"] ?? "—" },
    { title: "Last contact", cell: (record) => relative(record["last_contacted_at"]) },
    OWNER,
  ],
  account: [
    { title: "Industry", cell: (record) => record["industry"] ?? "—" },
    { title: "Type", cell: (record) => valueBadge(record, "type") },
    { title: "Health", cell: (record) => valueBadge(record, "health") },
    { title: "Revenue", cell: (record) => money(record["annual_revenue"] ?? NaN, "USD", true), isNumber: true },
    OWNER,
  ],
  note: [
    { title: "About", cell: (record) => (record["related"] as { name?: string } | undefined)?.name ?? "—" },
    { title: "Type", cell: (record) => badge(record["note_type"]) },
    { title: "Written", cell: (record) => relative(record["created_at"]) },
    OWNER,
  ],
};
const STATUS_FIELDS: Partial<Record<Kind["type"], string>> = { lead: "status", account: "health" };
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
            placeholder="Search by name"
            aria-label="Search ${title.toLowerCase()}"
            .value=${this.search}
            @input=${(event: Event) => this.find((event.target as HTMLInputElement).value)}
          />
        </search>
      </div>
      ${this.content(list, title)}`;
  }

  private content(list: RecordList, title: string): TemplateResult {
    if (list.error) return failed(list.error, () => this.load());
    if (list.isLoading && !list.items.length) return skeleton;
    if (!list.items.length) {
      return empty(
        this.search || this.status ? "Nothing fits this search." : `There are no ${title.toLowerCase()} yet.`,
      );
    }
    const columns = COLUMNS[this.kind.type] ?? [OWNER];
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
        <table>
          <thead>
            <tr>
              <th scope="col">${this.kind.type === "note" ? this.kind.one : "Name"}</th>
              ${columns.map((one) => html`<th scope="col" class=${one.isNumber ? "number" : ""}>${one.title}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${list.items.map((record) => this.row(record, columns))}
          </tbody>
        </table>
      </div>
      ${
        list.next
          ? html`<button class="button more" ?disabled=${list.isLoading} @click=${() => list.more()}>Show more</button>`
          : nothing
      }`;
  }

  private row(record: CrmRecord, columns: Column[]): TemplateResult {
    const mark = this.desk.feed.markOf(record.id);
    return html`<tr class=${mark ? "marked" : ""}>
      <td class="name">
        <a class="link" dir="auto" href="#/${this.kind.page}/${record.id}">${shortened(record)}</a>
        ${mark ? html` <span class="badge accent">${mark.action} by ${mark.isOwn ? "you" : mark.user}</span>` : nothing}
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
      aria-label=${nameOf(field)}
      .value=${this.status}
      @change=${(event: Event) => {
        this.status = (event.target as HTMLSelectElement).value;
        void this.load();
      }}
    >
      <option value="">Any ${field}</option>
      ${values.map((one) => html`<option value=${one.key} ?selected=${one.key === this.status}>${one.label}</option>`)}
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
