/** What to do after an answer: scans to run and sentences to send. */

import { LitElement, css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import type { Actions } from "./actions.js";
import { chips } from "./chips.js";
import { element } from "./element.js";
import { icon } from "./icons.js";
import type { Message } from "./message.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

@element("aisha-follow-ups")
export class AishaFollowUps extends LitElement {
  static override styles = [
    base,
    chips,
    css`
      .follow-up {
        border-color: var(--aisha-line-strong);
      }

      .emoji {
        font-size: 14px;
      }
    `,
  ];

  @property({ attribute: false }) message!: Message;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @property({ type: Boolean }) busy = false;

  override render() {
    return html`${this.scans()}${this.followUps()}`;
  }

  private scans() {
    const { recommendedScans, steps } = this.message;
    const run = new Set(steps.map((step) => step.arguments.scan_type));
    const open = recommendedScans.filter((scan) => !run.has(scan));
    if (!open.length) return nothing;
    return html`<div class="section">
      <p class="label">${this.words.say("scans")}</p>
      <ul class="chips">
        ${open.map((scan) => {
          const name = this.words.named("scan_", scan, scan.replaceAll("_", " "));
          const text = this.words.say("run_scan_text", { name });
          return this.chip(text, icon("search", 14), () => this.actions.runScan(scan));
        })}
      </ul>
    </div>`;
  }

  private followUps() {
    const { followUps, confirmation, decision } = this.message;
    if (!followUps.length || (confirmation && !decision)) return nothing;
    return html`<div class="section">
      <p class="label">${this.words.say("follow_ups")}</p>
      <ul class="chips">
        ${followUps.map(({ text, icon: emoji }) =>
          this.chip(text, html`<span class="emoji" aria-hidden="true">${emoji}</span>`, () => this.actions.send(text)),
        )}
      </ul>
    </div>`;
  }

  private chip(text: string, mark: unknown, act: () => void) {
    return html`<li>
      <button class="chip follow-up" ?disabled=${this.busy} @click=${act}>
        ${mark}<span dir="auto">${text}</span>
      </button>
    </li>`;
  }
}
