/** One record: its fields, what belongs to it, and what to ask the assistant about it. */

import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf } from "../api/index.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import { stagesOf, wordsOf, type Desk } from "./desk.js";
import { moment, nameOf } from "./format.js";
import { RecordList } from "./record_list.js";
import {
  describe,
  fieldName,
  fieldValue,
  kindOf,
  label,
  ownFields,
  ownValue,
  valueLabel,
  valueOf,
  type Change,
  type CrmRecord,
  type Kind,
} from "./records.js";
import { asksAbout, moveTo } from "./sentences.js";
import { failed, skeleton, ui, valueBadge } from "./ui.js";
import { say } from "./words.js";

const HIDDEN = new Set(["id", "entity_type", "display_name", "version", "custom", "first_name", "last_name", "name"]);
/** They stand last. */
const TIMES = ["created_at", "updated_at"];

@element("desk-record")
export class DeskRecord extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      .columns {
        display: grid;
        gap: var(--aisha-4);
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr));
        align-items: start;
      }

      ul {
        display: grid;
        gap: var(--aisha-3);
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        overflow-wrap: anywhere;
      }

      .asks {
        margin-block-end: var(--aisha-4);
      }

      .stack {
        display: grid;
        gap: var(--aisha-4);
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @property({ attribute: false }) kind!: Kind;
  @property() recordId = "";
  @state() private record: CrmRecord | null = null;
  @state() private error = "";
  private activities: RecordList | undefined;
  private notes: RecordList | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.desk.feed.removeEventListener("changes", this.take);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("recordId")) void this.load();
  }

  protected override render(): TemplateResult {
    if (this.error) return failed(this.error, () => this.load());
    const record = this.record;
    if (!record) return skeleton();
    const mark = this.desk.feed.markOf(record.id);
    return html`<div class="head">
        <a class="link" href="#/${this.kind.page}">${label(this.kind, this.desk.profile.labels, true)}</a>
        <span class="muted" aria-hidden="true">/</span>
        <h1 dir="auto">${record.display_name}</h1>
        ${["stage", "status", "health"]
          .filter((field) => record[field])
          .slice(0, 1)
          .map((field) => valueBadge(record, field))}
        ${mark ? html`<span class="badge accent">${describe(mark)}</span>` : nothing}
      </div>
      <div class="row asks">${this.asks(record)}</div>
      <div class="columns">
        <section class="card ${mark ? "marked" : ""}">
          <h2>${say("details")}</h2>
          <dl class="fields">
            ${this.fields(record).map(
              (name) =>
                html`<dt>${fieldName(name)}</dt>
                  <dd dir="auto">${this.value(record, name)}</dd>`,
            )}
            ${ownFields(record).map(
              (name) =>
                html`<dt dir="auto">${nameOf(name)}</dt>
                  <dd dir="auto">${ownValue(record, name)}</dd>`,
            )}
          </dl>
        </section>
        ${
          this.kind.type === "note" || this.kind.type === "activity"
            ? nothing
            : html`<div class="stack">
                <section class="card">
                  <h2>${say("kinds_activity")}</h2>
                  ${this.related(this.activities, say("no_activities"))}
                </section>
                <section class="card">
                  <h2>${say("kinds_note")}</h2>
                  ${this.related(this.notes, say("no_notes"))}
                </section>
              </div>`
        }
      </div>`;
  }

  private fields(record: CrmRecord): string[] {
    const names = Object.keys(record).filter((name) => !TIMES.includes(name));
    return [...names, ...TIMES].filter((name) => {
      const value = record[name] ?? "";
      const isEmpty = value === null || value === "" || (Array.isArray(value) && !value.length);
      return !HIDDEN.has(name) && !isEmpty && !name.endsWith("_id") && !name.startsWith("do_not");
    });
  }

  private value(record: CrmRecord, name: string): unknown {
    const related = record[name] as { type?: string; id?: string; name?: string } | null;
    if (name === "related" && related?.id) {
      const page = kindOf(related.type ?? "")?.page;
      return page ? html`<a class="link" href="#/${page}/${related.id}">${related.name}</a>` : related.name;
    }
    return fieldValue(record, name);
  }

  private asks(record: CrmRecord): TemplateResult[] {
    const buttons = asksAbout(this.kind.type, record).map(
      ({ label: name, text }) =>
        html`<button class="button" title=${text} @click=${() => this.desk.ask(text)}>${name}</button>`,
    );
    if (this.kind.type !== "opportunity") return buttons;
    const stages = stagesOf(this.desk);
    const now = valueOf(record, "stage", stages);
    return [
      html`<label class="row">
        <span class="muted">${say("move_to")}</span>
        <select
          .value=${now?.key ?? ""}
          @change=${(event: Event) => this.move(event.target as HTMLSelectElement, record)}
        >
          ${now ? nothing : html`<option value="" selected>${fieldValue(record, "stage")}</option>`}
          ${stages.map((stage) => html`<option value=${stage.key} ?selected=${stage === now}>${valueLabel(stage)}</option>`)}
        </select>
      </label>`,
      ...buttons,
    ];
  }

  private move(select: HTMLSelectElement, record: CrmRecord): void {
    const stages = stagesOf(this.desk);
    const chosen = stages.find((stage) => stage.key === select.value);
    if (chosen) this.desk.ask(moveTo(chosen.label, record));
    // The page shows what is stored: the select follows when the assistant has moved it.
    select.value = valueOf(record, "stage", stages)?.key ?? "";
  }

  private related(list: RecordList | undefined, none: string): TemplateResult {
    if (!list || list.isLoading) return html`<p class="muted">${say("loading")}</p>`;
    if (list.error) return html`<p class="error">${list.error}</p>`;
    if (!list.items.length) return html`<p class="muted">${none}</p>`;
    return html`<ul>
      ${list.items.map(
        (item) =>
          html`<li class=${this.desk.feed.markOf(item.id) ? "marked" : ""}>
            <div dir="auto">${item["content"] ?? item.display_name}</div>
            <span class="muted">
              ${item["due_at"] ? moment(item["due_at"]) : moment(item["created_at"])}
              ${item["owner"] ? `· ${nameOf(String(item["owner"]))}` : nothing}
            </span>
            ${valueBadge(item, item["status"] ? "status" : "note_type")}
          </li>`,
      )}
    </ul>`;
  }

  private async load(): Promise<void> {
    this.record = null;
    this.error = "";
    this.desk.feed.addEventListener("changes", this.take);
    const id = this.recordId;
    try {
      const path = { type: this.kind.type, id };
      const record = await dataOf(this.desk.api.rest.GET("/api/crm/{type}/{id}", { params: { path } }));
      if (id !== this.recordId) return;
      this.record = record as CrmRecord;
    } catch (error) {
      if (id === this.recordId) this.error = wordsOf(error);
      return;
    }
    if (this.kind.type === "note" || this.kind.type === "activity") return;
    this.activities ??= new RecordList(this, "activity");
    this.notes ??= new RecordList(this, "note");
    void this.activities.load({ related_id: id });
    void this.notes.load({ related_id: id });
  }

  private readonly take = (event: Event): void => {
    const own = (event as CustomEvent<Change[]>).detail.findLast((change) => change.entity.id === this.recordId);
    if (!own) return;
    if (own.record) {
      this.record = own.record as CrmRecord;
      // One that was deleted here is back.
      this.error = "";
    } else this.error = say("was_deleted", { name: own.entity.name, who: own.isOwn ? say("you") : own.user });
  };
}
