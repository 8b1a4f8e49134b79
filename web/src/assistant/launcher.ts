/** The button that opens a minimised panel, with a mark for an unread answer. */

import { LitElement, css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { element } from "./element.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

@element("aisha-launcher")
export class AishaLauncher extends LitElement {
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };
  static override styles = [
    base,
    css`
      button {
        position: fixed;
        z-index: 2147483000;
        inset-block-end: var(--aisha-5);
        inset-inline-end: var(--aisha-5);
        inline-size: 56px;
        block-size: 56px;
        display: grid;
        place-items: center;
        font-size: 22px;
        font-weight: 700;
        color: var(--aisha-on-accent);
        background: var(--aisha-accent-fill);
        border-radius: 18px;
        box-shadow: var(--aisha-shadow);
      }

      .unread {
        position: absolute;
        inset-block-start: -3px;
        inset-inline-end: -3px;
        inline-size: 16px;
        block-size: 16px;
        border-radius: 50%;
        background: var(--aisha-danger-fill);
        border: 2px solid var(--aisha-bg);
      }
    `,
  ];

  @property({ attribute: false }) words!: Words;
  @property() name = "";
  @property({ type: Boolean }) unread = false;

  override render() {
    const { words } = this;
    const label = words.say(this.unread ? "open_unread" : "open");
    return html`<button dir=${words.direction} lang=${words.language} aria-label=${label} title=${label}>
      <span aria-hidden="true">${this.name.slice(0, 1)}</span>
      ${this.unread ? html`<span class="unread"></span>` : nothing}
    </button>`;
  }
}
