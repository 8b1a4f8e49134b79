/** The open conversation: how to begin, its messages, or why they can't be shown. */

import { LitElement, css, html } from "lit";
import { property } from "lit/decorators.js";
import type { Api } from "../api/index.js";
import type { Actions } from "./actions.js";
import type { Conversation } from "./conversation.js";
import { element } from "./element.js";
import { errorText } from "./error_text.js";
import "./notice.js";
import { base } from "./theme.js";
import "./transcript.js";
import "./welcome.js";
import type { Words } from "./words.js";

@element("aisha-conversation")
export class AishaConversation extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        min-block-size: 0;
        min-inline-size: 0;
      }

      .empty {
        overflow-y: auto;
        padding: var(--aisha-3) var(--aisha-4);
        scrollbar-width: thin;
      }

      .empty > * {
        max-inline-size: 760px;
        margin-inline: auto;
      }

      .loading {
        place-self: center;
        color: var(--aisha-muted);
        font-size: var(--aisha-text-s);
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  /** Its messages change in it, so that each drawing of the panel draws it, too. */
  @property({ attribute: false, hasChanged: () => true }) conversation!: Conversation;
  @property() name = "";
  /** The key of the message that is read aloud. */
  @property() speaking = "";
  @property({ type: Boolean }) english = false;
  @property({ type: Boolean, attribute: "on-record" }) onRecord = false;

  override render() {
    const { words, conversation } = this;
    if (conversation.isLoading) return html`<p class="loading" role="status">${words.say("loading")}</p>`;
    if (conversation.loadError) {
      return html`<div class="empty">
        <aisha-notice
          .words=${words}
          .text=${errorText(conversation.loadError, words)}
          .retryAfter=${conversation.loadError.retryAfter}
          .reference=${conversation.loadError.requestId ?? ""}
          retryable
          @retry=${() => conversation.open(conversation.id!)}
        ></aisha-notice>
      </div>`;
    }
    if (!conversation.messages.length) {
      return html`<div class="empty">
        <aisha-welcome
          .words=${words}
          .actions=${this.actions}
          ?english=${this.english}
          ?on-record=${this.onRecord}
          ?busy=${conversation.phase !== "idle"}
        ></aisha-welcome>
        <aisha-suggestions .api=${this.api} .words=${words} .actions=${this.actions}></aisha-suggestions>
      </div>`;
    }
    return html`<aisha-transcript
      .messages=${conversation.messages}
      .records=${conversation.entities}
      .words=${words}
      .actions=${this.actions}
      .name=${this.name}
      .speaking=${this.speaking}
      .editable=${conversation.editable?.key ?? ""}
      ?busy=${conversation.phase !== "idle"}
    ></aisha-transcript>`;
  }
}
