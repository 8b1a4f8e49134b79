/** The latest changes as they happen: who changed what, with undo for one's own. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import { wordsOf, type Desk } from "./desk.js";
import { describe, uncapitalised, type Change } from "./records.js";
import { ui } from "./ui.js";
import { named, say } from "./words.js";

const MAX_SHOWN = 3;
const MAX_KEPT = 10;
const OWN_MS = 30_000;
const OTHERS_MS = 12_000;

interface Shown {
  key: string;
  changes: Change[];
}

function isUndoable({ changes: [first] }: Shown): boolean {
  return first!.isOwn && first!.tool !== "undo_last";
}

@element("desk-changes")
export class DeskChanges extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      :host {
        position: fixed;
        inset-block-end: var(--aisha-4);
        inset-inline-start: var(--aisha-4);
        z-index: 5;
        inline-size: min(440px, calc(100vw - 2 * var(--aisha-4)));
        pointer-events: none;
      }

      /* Above the button that opens the assistant. */
      @media (max-width: 600px) {
        :host {
          inset-block-end: calc(56px + 2 * var(--aisha-5));
        }
      }

      aside {
        display: grid;
        gap: var(--aisha-2);
      }

      .change {
        display: flex;
        align-items: center;
        gap: var(--aisha-3);
        padding: var(--aisha-3) var(--aisha-4);
        background: var(--aisha-raised);
        border: 1px solid var(--aisha-line-strong);
        border-radius: var(--aisha-radius);
        box-shadow: var(--aisha-shadow);
        pointer-events: auto;
      }

      .change p {
        flex: 1;
        overflow-wrap: anywhere;
        display: -webkit-box;
        -webkit-line-clamp: 3;
        -webkit-box-orient: vertical;
        overflow: hidden;
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private shown: Shown[] = [];
  @state() private undoing = "";

  override connectedCallback(): void {
    super.connectedCallback();
    this.desk.feed.addEventListener("changes", this.take);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.desk.feed.removeEventListener("changes", this.take);
  }

  protected override render(): TemplateResult {
    return html`<aside aria-label=${say("changes")}>
      <div role="status" class="hidden-text">${this.shown[0] ? this.words(this.shown[0]) : nothing}</div>
      ${this.visible().map((one) => this.row(one))}
    </aside>`;
  }

  /** Return what is shown: of one's own changes the last one, because an earlier one can only be undone after it. */
  private visible(): Shown[] {
    const last = this.shown.find(isUndoable);
    return this.shown.filter((one) => one === last || !isUndoable(one)).slice(0, MAX_SHOWN);
  }

  private row(one: Shown): TemplateResult {
    const first = one.changes[0]!;
    const canUndo = isUndoable(one) && first.operation;
    return html`<div class="change">
      <p>${this.words(one)}</p>
      ${
        canUndo
          ? html`<button class="button" ?disabled=${this.undoing === one.key} @click=${() => this.undo(one)}>
              ${say("undo")}
            </button>`
          : nothing
      }
      <button class="icon-button small" aria-label=${say("dismiss")} @click=${() => this.dismiss(one)}>✕</button>
    </div>`;
  }

  private words(one: Shown): string {
    const first = one.changes[0]!;
    const count = one.changes.length;
    if (count === 1) return `${describe(first)}.`;
    const kinds = uncapitalised(named("kinds_", first.entity.type, say("kinds_any")));
    const whose = first.isOwn ? "own" : "other";
    const action = first.tool === "undo_last" ? "undone" : first.action;
    return `${say(`${whose}_many_${action}`, { who: first.user, count, kinds })}.`;
  }

  private readonly take = (event: Event): void => {
    const groups = new Map<string, Change[]>();
    for (const change of (event as CustomEvent<Change[]>).detail) {
      const key = change.operation ?? String(change.sequence);
      groups.set(key, [...(groups.get(key) ?? []), change]);
    }
    for (const [key, changes] of groups) {
      this.forgetUndone(changes);
      this.shown = [{ key, changes }, ...this.shown.filter((one) => one.key !== key)].slice(0, MAX_KEPT);
      setTimeout(() => this.expire(key), changes[0]!.isOwn ? OWN_MS : OTHERS_MS);
    }
  };

  /** What was taken back can't be undone again. */
  private forgetUndone(changes: Change[]): void {
    if (changes[0]!.tool !== "undo_last") return;
    const ids = new Set(changes.map((change) => change.entity.id));
    this.shown = this.shown.filter((one) => !one.changes.every((change) => ids.has(change.entity.id)));
  }

  private expire(key: string): void {
    // What the user is about to click stays.
    if (this.matches(":hover, :focus-within")) setTimeout(() => this.expire(key), OTHERS_MS);
    else this.drop(key);
  }

  /** Put a change away; with one's own last one also those before it, which stand behind it. */
  private dismiss(one: Shown): void {
    const isOwn = isUndoable(one);
    this.shown = this.shown.filter((other) => other !== one && !(isOwn && isUndoable(other)));
  }

  private drop(key: string): void {
    this.shown = this.shown.filter((one) => one.key !== key);
  }

  private async undo(one: Shown): Promise<void> {
    this.undoing = one.key;
    try {
      const operation = one.changes[0]!.operation ?? null;
      await this.desk.api.rest.POST("/api/ai/undo", {
        params: { header: { "Idempotency-Key": `undo.${one.key}` } },
        body: { operation },
      });
      this.shown = this.shown.filter((other) => other.key !== one.key);
      this.desk.takenBack(one.changes.map((change) => change.entity.id));
      this.desk.feed.poke();
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
    }
    this.undoing = "";
  }
}
