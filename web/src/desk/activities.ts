/** The activities, as a list by when they are due and as the calendar of a month. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import type { Desk } from "./desk.js";
import { daysUntil, dayOf, moment, nameOf, time } from "./format.js";
import { RecordList } from "./record_list.js";
import { label, remark, valueName, KINDS, type CrmRecord } from "./records.js";
import { TODAY } from "./sentences.js";
import { empty, failed, skeleton, ui, valueBadge } from "./ui.js";
import { direction, locale, say } from "./words.js";

const ACTIVITY = KINDS.find((kind) => kind.type === "activity")!;
const GROUPS = ["overdue", "today", "next", "later", "undated", "done"] as const;
const MAX_IN_DAY = 3;
const MAX_DONE = 20;
const WEEKS = 6;

@element("desk-activities")
export class DeskActivities extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      section {
        margin-block-end: var(--aisha-5);
      }

      h2 {
        margin-block-end: var(--aisha-2);
      }

      .head h2 {
        margin: 0;
        min-inline-size: 9em;
        text-align: center;
      }

      .head .icon-button {
        font-size: 22px;
      }

      /* The same columns in each group. */
      .group {
        table-layout: fixed;
      }

      .group td {
        overflow-wrap: anywhere;
        min-inline-size: 0;
      }

      .group td:nth-child(1) {
        inline-size: 34%;
      }

      .group td:nth-child(2),
      .group td:nth-child(3) {
        inline-size: 22%;
      }

      @media (max-width: 600px) {
        .group td:nth-child(n + 4) {
          display: none;
        }

        .group td:nth-child(1) {
          inline-size: 42%;
        }

        .group td:nth-child(n) {
          padding-inline: var(--aisha-2);
        }
      }

      .calendar {
        table-layout: fixed;
        min-inline-size: 640px;
      }

      .calendar td {
        block-size: 96px;
        padding: var(--aisha-1);
        border-inline-end: 1px solid var(--aisha-line);
      }

      .calendar td.other {
        background: var(--aisha-sunken);
      }

      .day {
        display: inline-block;
        min-inline-size: 24px;
        padding: 2px 4px;
        text-align: center;
        color: var(--aisha-muted);
        border-radius: 999px;
      }

      .today .day {
        background: var(--aisha-accent-fill);
        color: var(--aisha-on-accent);
        font-weight: 700;
      }

      .entry {
        min-block-size: 24px;
        padding: 3px 6px;
        margin-block-start: 3px;
        border-radius: 4px;
        font-size: var(--aisha-text-xs);
        background: var(--aisha-hover);
        color: inherit;
        text-decoration: none;
        display: block;
      }

      .entry span {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        text-align: -webkit-match-parent;
        text-align: match-parent;
      }

      .rest {
        min-block-size: 24px;
        padding-inline: 6px;
        font-size: var(--aisha-text-xs);
      }

      .entry.completed,
      .entry.cancelled {
        color: var(--aisha-muted);
      }

      .entry.completed span:first-child::before {
        content: "✓ " / "";
      }

      .entry.cancelled {
        text-decoration: line-through;
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @property() view: "list" | "calendar" = "list";
  @state() private month = firstOfMonth(new Date());
  /** The day of the calendar that shows all its activities. */
  @state() private openDay = "";
  private list: RecordList | undefined;

  protected override firstUpdated(): void {
    this.list = new RecordList(this, "activity", true);
    void this.list.load();
  }

  protected override render(): TemplateResult {
    const list = this.list;
    return html`<div class="head">
        <h1>${label(ACTIVITY, this.desk.profile.labels, true)}</h1>
        <nav class="tabs" aria-label=${say("view")}>
          <a href="#/activities" aria-current=${this.view === "list" ? "page" : nothing}>${say("list")}</a>
          <a href="#/calendar" aria-current=${this.view === "calendar" ? "page" : nothing}>${say("calendar")}</a>
        </nav>
        <button class="button end" title=${TODAY} @click=${() => this.desk.ask(TODAY)}>${say("ask_today")}</button>
      </div>
      ${
        !list || (list.isLoading && !list.items.length)
          ? skeleton()
          : list.error
            ? failed(list.error, () => list.load())
            : this.view === "calendar"
              ? this.calendar(list.items)
              : this.groups(list.items)
      }`;
  }

  private groups(items: CrmRecord[]): TemplateResult {
    if (!items.length) return empty(say("plan_one"));
    const groups = new Map<string, CrmRecord[]>(GROUPS.map((name) => [name, []]));
    for (const item of items) groups.get(groupOf(item))!.push(item);
    return html`${GROUPS.map((name) => {
      const all = sorted(groups.get(name)!, name === "done");
      const shown = name === "done" ? all.slice(0, MAX_DONE) : all;
      return shown.length
        ? html`<section>
            <h2>${say(`group_${name}`)} <span class="muted">${all.length}</span></h2>
            <div class="scroll" tabindex="0" role="region" aria-label=${say(`group_${name}`)}>
              <table class="group">
                <tbody>
                  ${shown.map((item) => this.row(item))}
                </tbody>
              </table>
            </div>
          </section>`
        : nothing;
    })}`;
  }

  private row(item: CrmRecord): TemplateResult {
    const related = item["related"] as { name?: string } | null;
    const mark = this.desk.feed.markOf(item.id);
    return html`<tr class=${mark ? "marked" : ""}>
      <td class="name">
        <a class="link" dir="auto" href="#/activities/${item.id}">${item.display_name}</a>
        ${mark ? html` <span class="badge accent">${remark(mark)}</span>` : nothing}
        ${isUsual(item) ? nothing : html` ${valueBadge(item, "status")}`}
      </td>
      <td dir="auto">${related?.name ?? "—"}</td>
      <td>${item["due_at"] ? moment(item["due_at"]) : "—"}</td>
      <td>${valueName(String(item["activity_type"]))}</td>
      <td>${item["owner"] ? nameOf(String(item["owner"])) : "—"}</td>
    </tr>`;
  }

  private calendar(items: CrmRecord[]): TemplateResult {
    const byDay = new Map<string, CrmRecord[]>();
    for (const item of items) {
      const day = dayOf(item["due_at"]);
      if (day) byDay.set(day.toDateString(), [...(byDay.get(day.toDateString()) ?? []), item]);
    }
    const days = daysOfCalendar(this.month);
    const [before, after] = direction() === "rtl" ? ["›", "‹"] : ["‹", "›"];
    const title = this.month.toLocaleDateString(locale(), { month: "long", year: "numeric" });
    return html`<div class="head">
        <button class="icon-button" aria-label=${say("month_before")} @click=${() => this.turn(-1)}>${before}</button>
        <h2 aria-live="polite">${title}</h2>
        <button class="icon-button" aria-label=${say("month_after")} @click=${() => this.turn(1)}>${after}</button>
        <button class="button" @click=${() => (this.month = firstOfMonth(new Date()))}>${say("today")}</button>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label=${say("calendar_of", { month: title })}>
        <table class="calendar">
          <thead>
            <tr>
              ${days
                .slice(0, 7)
                .map((day) => html`<th scope="col">${day.toLocaleDateString(locale(), { weekday: "short" })}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${Array.from(
              { length: days.length / 7 },
              (_, week) =>
                html`<tr>
                  ${days.slice(week * 7, week * 7 + 7).map((day) => this.day(day, byDay.get(day.toDateString()) ?? []))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }

  private day(day: Date, items: CrmRecord[]): TemplateResult {
    const isOther = day.getMonth() !== this.month.getMonth();
    const isWhole = items.length <= MAX_IN_DAY + 1 || this.openDay === day.toDateString();
    const shown = isWhole ? sorted(items) : sorted(items).slice(0, MAX_IN_DAY);
    return html`<td class="${isOther ? "other" : ""} ${daysUntil(day) === 0 ? "today" : ""}">
      <span class="day">${day.getDate()}</span>
      ${shown.map(
        (item) =>
          html`<a
            class="entry ${String(item["status"])} ${this.desk.feed.markOf(item.id) ? "marked" : ""}"
            href="#/activities/${item.id}"
            title=${item.display_name}
            >${time(item["due_at"])} <span dir="auto">${item.display_name}</span></a
          >`,
      )}
      ${
        isWhole
          ? nothing
          : html`<button class="link rest" @click=${() => (this.openDay = day.toDateString())}>
              ${say("more", { count: items.length - shown.length })}
            </button>`
      }
    </td>`;
  }

  private turn(months: number): void {
    this.month = new Date(this.month.getFullYear(), this.month.getMonth() + months, 1);
  }
}

/** Return whether the heading of an activity's group says its status already. */
function isUsual(item: CrmRecord): boolean {
  return ["scheduled", "completed"].includes(String(item["status"]));
}

function groupOf(item: CrmRecord): (typeof GROUPS)[number] {
  if (item["status"] !== "scheduled") return "done";
  const day = dayOf(item["due_at"]);
  if (!day) return "undated";
  const days = daysUntil(day);
  if (day.getTime() < Date.now()) return "overdue";
  return days === 0 ? "today" : days <= 7 ? "next" : "later";
}

function sorted(items: CrmRecord[], isNewestFirst = false): CrmRecord[] {
  const key = (item: CrmRecord): number => dayOf(item["due_at"])?.getTime() ?? 0;
  return items.toSorted((one, other) => (isNewestFirst ? key(other) - key(one) : key(one) - key(other)));
}

function firstOfMonth(day: Date): Date {
  return new Date(day.getFullYear(), day.getMonth(), 1);
}

/** Return the days of whole weeks, from Monday on, that have the month. */
function daysOfCalendar(month: Date): Date[] {
  const offset = (month.getDay() + 6) % 7;
  const length = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
  const weeks = Math.min(WEEKS, Math.ceil((offset + length) / 7));
  return Array.from(
    { length: weeks * 7 },
    (_, place) => new Date(month.getFullYear(), month.getMonth(), 1 - offset + place),
  );
}
