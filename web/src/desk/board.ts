/** The board of deals by stage. A card is moved by the assistant: dropped on a stage, it asks for just that. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import { stagesOf, type Desk } from "./desk.js";
import { daysUntil, dayOf, money, nameOf, relative } from "./format.js";
import { RecordList } from "./record_list.js";
import { describe, isOpen, label, valueLabel, valueOf, KINDS, type CrmRecord, type Value } from "./records.js";
import { moveTo } from "./sentences.js";
import { empty, failed, skeleton, ui } from "./ui.js";
import { say } from "./words.js";

const MAX_CLOSED = 3;
const DEAL = KINDS.find((kind) => kind.type === "opportunity")!;

@element("desk-board")
export class DeskBoard extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      /* Closed stages stand beside the open ones, which scroll where they are many, and below them on a phone. */
      .board {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 148px;
        align-items: start;
        gap: var(--aisha-2);
      }

      .open {
        display: grid;
        grid-auto-flow: column;
        grid-auto-columns: minmax(140px, 1fr);
        gap: var(--aisha-2);
        overflow-x: auto;
        scroll-snap-type: x proximity;
        padding-block-end: var(--aisha-1);
        align-items: start;
      }

      .open:last-child {
        grid-column: 1 / -1;
      }

      .closed {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(140px, 1fr));
        align-items: start;
        gap: var(--aisha-2);
      }

      @media (max-width: 700px) {
        .board {
          grid-template-columns: minmax(0, 1fr);
        }
      }

      section {
        background: var(--aisha-sunken);
        border: 1px solid var(--aisha-line);
        border-radius: var(--aisha-radius);
        padding: var(--aisha-2);
        scroll-snap-align: start;
      }

      .open section {
        min-block-size: 180px;
      }

      section.over {
        border-color: var(--aisha-accent);
        background: var(--aisha-accent-soft);
      }

      header {
        display: grid;
        gap: 2px;
        padding: var(--aisha-2);
      }

      h2 {
        display: flex;
        justify-content: space-between;
        gap: var(--aisha-1);
        margin: 0;
        font-size: var(--aisha-text-s);
        overflow-wrap: anywhere;
      }

      ul {
        display: grid;
        gap: var(--aisha-2);
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .card {
        display: grid;
        gap: var(--aisha-1);
        inline-size: 100%;
        padding: var(--aisha-3);
        text-align: start;
        cursor: pointer;
        text-decoration: none;
        color: inherit;
      }

      .card:hover {
        border-color: var(--aisha-line-strong);
      }

      .card strong {
        overflow-wrap: anywhere;
        display: -webkit-box;
        -webkit-line-clamp: 3;
        -webkit-box-orient: vertical;
        overflow: hidden;
      }

      .card.marked {
        border-color: var(--aisha-accent);
        animation: arrive 600ms ease-out;
      }

      .foot {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 var(--aisha-2);
      }

      .late {
        color: var(--aisha-danger);
      }

      .news {
        font-size: var(--aisha-text-xs);
        color: var(--aisha-accent);
        overflow-wrap: anywhere;
      }

      @keyframes arrive {
        from {
          transform: translateY(-6px);
          opacity: 0.3;
        }
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private over = "";
  @state() private owner = "";
  /** The closed stages of which all deals are shown. */
  @state() private whole: ReadonlySet<string> = new Set();
  private list: RecordList | undefined;
  private dragged: CrmRecord | undefined;
  private readonly seen = new Set<string>();

  protected override firstUpdated(): void {
    this.list = new RecordList(this, "opportunity", true);
    void this.list.load();
  }

  /** Bring a card into view that has just arrived: what the assistant moved shall be seen. */
  protected override updated(): void {
    for (const card of this.renderRoot.querySelectorAll<HTMLElement>(".card.marked")) {
      const mark = `${card.getAttribute("href")} ${card.querySelector(".news")?.textContent}`;
      if (this.seen.has(mark)) continue;
      this.seen.add(mark);
      card.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  protected override render(): TemplateResult {
    const list = this.list;
    if (!list || (list.isLoading && !list.items.length)) return skeleton();
    if (list.error) return failed(list.error, () => list.load());
    const owners = [...new Set(list.items.map((item) => String(item["owner"] ?? "")))].filter(Boolean).sort();
    return html`<div class="head">
        <h1>${label(DEAL, this.desk.profile.labels, true)}</h1>
        <span class="muted">${say("in_all", { count: `${list.items.length}${list.next ? "+" : ""}` })}</span>
        <label class="row end">
          <span class="muted">${say("field_owner")}</span>
          <select
            .value=${this.owner}
            @change=${(event: Event) => (this.owner = (event.target as HTMLSelectElement).value)}
          >
            <option value="">${say("everyone")}</option>
            ${owners.map((owner) => html`<option value=${owner}>${nameOf(owner)}</option>`)}
          </select>
        </label>
      </div>
      ${list.items.length ? this.board(list.items) : empty(say("no_deals"))}`;
  }

  private board(items: readonly CrmRecord[]): TemplateResult {
    const columns = this.columns(items);
    const closed = columns.filter(({ stage }) => isClosed(stage));
    return html`<div class="board">
      <div class="open" role="group" tabindex="0" aria-label=${say("deals_by_stage")}>
        ${columns.filter(({ stage }) => !isClosed(stage)).map(({ stage, deals }) => this.column(stage, deals))}
      </div>
      ${closed.length ? html`<div class="closed">${closed.map(({ stage, deals }) => this.closed(stage, deals))}</div>` : nothing}
    </div>`;
  }

  /** Return a closed stage with its latest deals, and those that have just come: of the others there are ever more. */
  private closed(stage: Value | null, deals: CrmRecord[]): TemplateResult {
    const latest = deals.toSorted((one, other) => String(other["close_date"]).localeCompare(String(one["close_date"])));
    const isShown = (deal: CrmRecord, place: number): boolean => place < MAX_CLOSED || !!this.desk.feed.markOf(deal.id);
    return this.column(stage, deals, this.whole.has(stage!.key) ? latest : latest.filter(isShown));
  }

  /** Return the team's stages with their deals; those in a stage that the CRM no longer has stand in a last column. */
  private columns(items: readonly CrmRecord[]): { stage: Value | null; deals: CrmRecord[] }[] {
    const stages = stagesOf(this.desk);
    const shown = items.filter((item) => !this.owner || item["owner"] === this.owner);
    const byStage = new Map<Value | null, CrmRecord[]>(stages.map((stage) => [stage, []]));
    for (const deal of shown) {
      const stage = valueOf(deal, "stage", stages) ?? null;
      byStage.set(stage, [...(byStage.get(stage) ?? []), deal]);
    }
    return [...byStage].map(([stage, deals]) => ({ stage, deals }));
  }

  private column(stage: Value | null, deals: CrmRecord[], shown = deals): TemplateResult {
    const title = stage ? valueLabel(stage) : say("other_stages");
    return html`<section
      class=${stage && this.over === stage.key ? "over" : ""}
      aria-label="${title}, ${deals.length}"
      @dragover=${(event: DragEvent) => this.hover(event, stage)}
      @dragleave=${() => (this.over = "")}
      @drop=${(event: DragEvent) => this.drop(event, stage)}
    >
      <header>
        <h2>${title}<span class="muted">${deals.length}</span></h2>
        <span class="muted">${sums(deals)}</span>
      </header>
      <ul>
        ${shown.map((deal) => html`<li>${this.card(deal)}</li>`)}
      </ul>
      ${
        shown.length < deals.length
          ? html`<button class="link" @click=${() => (this.whole = new Set(this.whole).add(stage!.key))}>
              ${say("more", { count: deals.length - shown.length })}
            </button>`
          : nothing
      }
    </section>`;
  }

  private card(deal: CrmRecord): TemplateResult {
    const change = this.desk.feed.markOf(deal.id);
    const close = dayOf(deal["close_date"]);
    const isLate = close && isOpen(deal) && daysUntil(close) < 0;
    return html`<a
      class="card ${change ? "marked" : ""}"
      href="#/opportunities/${deal.id}"
      draggable="true"
      @dragstart=${() => (this.dragged = deal)}
    >
      <strong>${deal.display_name}</strong>
      <span>${money(deal["amount"], deal["currency"])}</span>
      <span class="foot muted">
        <span class=${isLate ? "late" : ""}
          >${close ? (isLate ? say("was_due", { day: relative(deal["close_date"]) }) : relative(deal["close_date"])) : say("no_date")}</span
        >
        <span>${deal["owner"] ? nameOf(String(deal["owner"])) : ""}</span>
      </span>
      ${change ? html`<span class="news">${describe(change)}</span>` : nothing}
    </a>`;
  }

  private hover(event: DragEvent, stage: Value | null): void {
    if (!stage || !this.dragged || valueOf(this.dragged, "stage", stagesOf(this.desk)) === stage) return;
    event.preventDefault();
    this.over = stage.key;
  }

  private drop(event: DragEvent, stage: Value | null): void {
    event.preventDefault();
    this.over = "";
    if (this.dragged && stage) this.desk.ask(moveTo(stage.label, this.dragged));
    this.dragged = undefined;
  }
}

function isClosed(stage: Value | null): boolean {
  return stage?.outcome === "won" || stage?.outcome === "lost";
}

/** Return the sums of amounts, one for each currency. */
export function sums(deals: readonly CrmRecord[]): string {
  const totals = new Map<string, number>();
  for (const deal of deals) {
    const currency = String(deal["currency"] ?? "USD");
    totals.set(currency, (totals.get(currency) ?? 0) + Number(deal["amount"] ?? 0));
  }
  return [...totals].map(([currency, total]) => money(total, currency, true)).join(" + ") || "—";
}
