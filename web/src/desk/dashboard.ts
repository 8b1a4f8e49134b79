/** The overview: pipeline, what is due, goals, the briefing, the recommended next scan and the latest changes. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, newKey, type components } from "../api/index.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import { sums } from "./board.js";
import "./chart.js";
import type { Series } from "./chart.js";
import { stagesOf, wordsOf, type Desk } from "./desk.js";
import { daysUntil, dayOf, money, nameOf, relative, time } from "./format.js";
import { RecordList } from "./record_list.js";
import { describe, isOpen, valueLabel, valueOf, type CrmRecord, type Value } from "./records.js";
import { skeleton, ui } from "./ui.js";
import { named, say } from "./words.js";

type NextStep = components["schemas"]["NextStep"];
type Briefing = components["schemas"]["Briefing"];

/** The figures that a recommendation rests on. */
const STATISTICS = [
  "leadsOpen",
  "leadsWithoutActivity",
  "opportunitiesOpen",
  "suggestionsPending",
  "suggestionsAccepted",
] as const;
const MAX_OWNERS = 4;
const NOBODY = "";
const MAX_CHANGES = 6;

@element("desk-dashboard")
export class DeskDashboard extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      .figures {
        display: grid;
        gap: var(--aisha-3);
        grid-template-columns: repeat(auto-fit, minmax(140px, 1fr));
        margin-block-end: var(--aisha-4);
      }

      .figure strong {
        display: block;
        font-size: 22px;
        letter-spacing: -0.02em;
        font-variant-numeric: tabular-nums;
        line-height: 1.25;
        overflow-wrap: anywhere;
      }

      @media (min-width: 1101px) {
        .figures {
          grid-template-columns: repeat(auto-fit, minmax(104px, 1fr));
        }
      }

      .grid {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 360px), 1fr));
      }

      .grid > :last-child {
        grid-column: 1 / -1;
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
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @property() theme = "";
  @state() private nextStep: NextStep | null = null;
  @state() private briefing: Briefing | null = null;
  /** The scan that runs. */
  @state() private busy = "";
  @state() private isWithoutStep = false;
  private deals: RecordList | undefined;
  private activities: RecordList | undefined;
  private goals: RecordList | undefined;

  protected override firstUpdated(): void {
    const mayUse = (module: string): boolean => this.desk.profile.modules.includes(module);
    if (mayUse("opportunities")) this.deals = new RecordList(this, "opportunity", true);
    if (mayUse("activities")) this.activities = new RecordList(this, "activity", true);
    if (mayUse("goals")) this.goals = new RecordList(this, "goal", true);
    for (const list of [this.deals, this.activities, this.goals]) void list?.load();
    void this.brief();
    void this.recommend();
  }

  protected override render(): TemplateResult {
    const hour = new Date().getHours();
    const greeting = say(hour < 12 ? "good_morning" : hour < 18 ? "good_afternoon" : "good_evening");
    const name = this.desk.profile.name?.split(" ")[0];
    return html`<div class="head"><h1>${greeting}${name ? `, ${name}` : ""}</h1></div>
      <div class="figures">${this.figures()}</div>
      <div class="grid">
        ${this.deals ? this.pipeline(this.deals.items) : nothing} ${this.next()}
        ${this.goals ? this.goalList() : nothing} ${this.changes()} ${this.briefed()}
      </div>`;
  }

  private figures(): TemplateResult[] {
    const open = (this.deals?.items ?? []).filter((deal) => isOpen(deal));
    const weighted = open.map((deal) => ({
      ...deal,
      amount: (Number(deal["amount"] ?? 0) * Number(deal["probability"] ?? 0)) / 100,
    }));
    const planned = (this.activities?.items ?? []).filter((one) => one["status"] === "scheduled");
    const due = planned.map((one) => dayOf(one["due_at"])).filter((day) => day !== null);
    const overdue = due.filter((day) => day.getTime() < Date.now()).length;
    const today = due.filter((day) => daysUntil(day) === 0 && day.getTime() >= Date.now()).length;
    const figure = (title: string, value: unknown, href: string): TemplateResult =>
      html`<div class="card figure">
        <strong>${breakable(value)}</strong><a class="link" href=${href}>${title}</a>
      </div>`;
    return [
      ...(this.deals
        ? [
            figure(say("open_pipeline"), this.deals.isLoading ? "…" : sums(open), "#/opportunities"),
            figure(say("weighted"), this.deals.isLoading ? "…" : sums(weighted), "#/opportunities"),
            figure(say("open_deals"), this.deals.isLoading ? "…" : open.length, "#/opportunities"),
          ]
        : []),
      ...(this.activities
        ? [
            figure(say("still_due_today"), this.activities.isLoading ? "…" : today, "#/activities"),
            figure(say("overdue"), this.activities.isLoading ? "…" : overdue, "#/activities"),
          ]
        : []),
    ];
  }

  private pipeline(deals: CrmRecord[]): TemplateResult {
    const open = deals.filter((deal) => isOpen(deal) && (deal["currency"] ?? "USD") === mainCurrency(deals));
    const byOwner = new Map<string, number>();
    for (const deal of open) {
      const owner = String(deal["owner"] ?? NOBODY);
      byOwner.set(owner, (byOwner.get(owner) ?? 0) + Number(deal["amount"] ?? 0));
    }
    const owners = [...byOwner].sort((one, other) => other[1] - one[1]).map(([owner]) => owner);
    const named = owners.slice(0, MAX_OWNERS);
    const all = stagesOf(this.desk);
    const stages = all.filter((stage) => stage.outcome === "open");
    const total = (stage: Value, fits: (owner: string) => boolean): number =>
      open
        .filter((deal) => valueOf(deal, "stage", all) === stage && fits(String(deal["owner"] ?? NOBODY)))
        .reduce((sum, deal) => sum + Number(deal["amount"] ?? 0), 0);
    const series: Series[] = named.map((owner) => ({
      name: owner === NOBODY ? say("owner_nobody") : nameOf(owner),
      values: stages.map((stage) => total(stage, (one) => one === owner)),
    }));
    if (owners.length > named.length) {
      const others = (one: string): boolean => !named.includes(one);
      series.push({ name: say("owner_others"), values: stages.map((stage) => total(stage, others)) });
    }
    const currency = mainCurrency(deals);
    const left = new Set(deals.map((deal) => deal["currency"] ?? "USD")).size > 1;
    return html`<section class="card">
      <h2>
        ${say("pipeline_title")}${left ? html` <span class="muted">${say("in_currency", { currency })}</span>` : nothing}
      </h2>
      ${
        open.length
          ? html`<desk-chart
              caption=${say("pipeline_caption")}
              .labels=${stages.map(valueLabel)}
              .series=${series}
              .format=${(value: number) => money(value, currency, true)}
              theme=${this.theme}
            ></desk-chart>`
          : this.deals!.isLoading
            ? skeleton()
            : html`<p class="muted">${say("no_open_deals")}</p>`
      }
    </section>`;
  }

  private goalList(): TemplateResult {
    const goals = this.goals!;
    return html`<section class="card">
      <h2>${say("kinds_goal")}</h2>
      ${
        goals.items.length
          ? html`<ul>
              ${goals.items.map((goal) => {
                const progress = Number(goal["progress"] ?? 0);
                return html`<li>
                  <div class="row">
                    <strong>${goal.display_name}</strong><span class="muted">${goal["period"] ?? ""}</span>
                    <span class="end">${progress}%</span>
                  </div>
                  <progress max="100" value=${progress} aria-label=${goal.display_name}></progress>
                </li>`;
              })}
            </ul>`
          : html`<p class="muted">${say(goals.isLoading ? "loading" : "no_goals")}</p>`
      }
    </section>`;
  }

  private changes(): TemplateResult {
    const recent = this.desk.feed.recent.slice(0, MAX_CHANGES);
    return html`<section class="card">
      <h2>${say("latest_changes")}</h2>
      ${
        recent.length
          ? html`<ul>
              ${recent.map(
                (change) =>
                  html`<li>
                    ${describe(change)}
                    <span class="muted">${relative(change.at)}, ${time(change.at)}</span>
                  </li>`,
              )}
            </ul>`
          : html`<p class="muted">${say("no_changes")}</p>`
      }
    </section>`;
  }

  private next(): TemplateResult {
    const step = this.nextStep;
    const scan = step?.scanType;
    return html`<section class="card stack">
      <h2>${say("next_step")}</h2>
      ${
        step
          ? html`<p>${step.response || step.reason}</p>
              ${
                scan
                  ? html`<div>
                      <button class="button primary" ?disabled=${this.busy !== ""} @click=${() => this.run(scan)}>
                        ${this.busy === scan ? say("scanning") : say("run_scan", { name: named("scan_", scan, nameOf(scan)) })}
                      </button>
                    </div>`
                  : nothing
              }
              <dl class="fields">
                ${STATISTICS.map(
                  (name) =>
                    html`<dt>${say(`stat_${name}`)}</dt>
                      <dd>${step.statistics[name]}</dd>`,
                )}
              </dl>`
          : this.isWithoutStep
            ? html`<p class="muted">${say("no_recommendation")}</p>`
            : skeleton()
      }
    </section>`;
  }

  private briefed(): TemplateResult {
    return html`<section class="card stack">
      <h2>${say("briefing")}</h2>
      <p>${this.briefing?.text ?? "…"}</p>
    </section>`;
  }

  private async brief(): Promise<void> {
    const query = { variant: "full" as const, timeframeHours: 24 };
    try {
      this.briefing = await dataOf(this.desk.api.rest.GET("/api/ai/scan-briefing", { params: { query } }));
    } catch (error) {
      this.briefing = { success: false, text: wordsOf(error), data: null } as unknown as Briefing;
    }
  }

  private async recommend(): Promise<void> {
    try {
      this.nextStep = await dataOf(this.desk.api.rest.POST("/api/ai/next-step", { body: {} }));
    } catch {
      this.isWithoutStep = true;
    }
  }

  private async run(scanType: string): Promise<void> {
    this.busy = scanType;
    try {
      await this.desk.api.rest.POST("/api/ai/scans", {
        params: { header: { "Idempotency-Key": newKey() } },
        body: { scanType: scanType as "stale_leads" },
      });
      await Promise.all([this.brief(), this.recommend()]);
      this.desk.tell(say("scan_done"));
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
    }
    this.busy = "";
  }
}

/** Return the currency of most deals: a chart has one axis. */
function mainCurrency(deals: CrmRecord[]): string {
  const counts = new Map<string, number>();
  for (const deal of deals) {
    const currency = String(deal["currency"] ?? "USD");
    counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? "USD";
}

/** Return a figure that may be broken at its spaces: an amount in words is longer than its card in some languages. */
function breakable(value: unknown): string {
  return String(value).replace(/[\u00a0\u202f]/g, " ");
}
