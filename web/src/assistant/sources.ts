/** The records that an answer is based on: a click opens one. */

import { LitElement, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import type { Actions } from "./actions.js";
import { chips } from "./chips.js";
import { element } from "./element.js";
import { recordIcon } from "./icons.js";
import type { Message } from "./message.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

const MAX_SOURCES = 4;

@element("aisha-sources")
export class AishaSources extends LitElement {
  static override styles = [base, chips];

  @property({ attribute: false }) message!: Message;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @state() private hasAll = false;

  override render() {
    const { sources } = this.message;
    const shown = this.hasAll || sources.length <= MAX_SOURCES + 1 ? sources : sources.slice(0, MAX_SOURCES);
    const hidden = sources.length - shown.length;
    return html`<div class="section">
      <p class="label">${this.words.say("sources")}</p>
      <ul class="chips">
        ${shown.map(
          (source) =>
            html`<li>
              <button
                class="chip"
                title=${source.description}
                aria-label=${this.words.say("open_record", {
                  type: this.words.named("type_", source.type, source.type),
                  name: source.name,
                })}
                @click=${() => this.actions.openRecord(source)}
              >
                ${recordIcon(source.type)}<span dir="auto">${source.name}</span>
              </button>
            </li>`,
        )}
        ${
          hidden
            ? html`<li>
                <button class="chip" @click=${() => (this.hasAll = true)}>${this.words.count("more", hidden)}</button>
              </li>`
            : nothing
        }
      </ul>
    </div>`;
  }
}
