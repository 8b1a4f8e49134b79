/** What an empty conversation shows: how to begin, and what waits for the user. */

import { LitElement, css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { element } from "./element.js";
import type { Actions } from "./actions.js";
import { icon, type IconName } from "./icons.js";
import { base } from "./theme.js";
import type { Words } from "./words.js";

interface Quick {
  label: "quick_status" | "quick_next" | "quick_analyze" | "quick_record";
  icon: IconName;
}

const QUICK: readonly Quick[] = [
  { label: "quick_status", icon: "activity" },
  { label: "quick_next", icon: "bulb" },
  { label: "quick_analyze", icon: "opportunity" },
];

/** Do what the button with the key 1, 2 or 3 does; nothing for another key. */
export function pressQuick(event: KeyboardEvent, words: Words, isEnglish: boolean, actions: Actions): void {
  const quick = /^[1-3]$/.test(event.key) ? QUICK[Number(event.key) - 1] : undefined;
  if (!quick) return;
  // The message box gets the focus, and would get the figure.
  event.preventDefault();
  act(quick, words, isEnglish, actions);
}

function act({ label }: Quick, words: Words, isEnglish: boolean, actions: Actions): void {
  if (label === "quick_next") actions.recommend();
  else actions.send(words.sentence(`${label}_text`, isEnglish));
}

@element("aisha-welcome")
export class AishaWelcome extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
      }

      h3 {
        margin: var(--aisha-3) 0 var(--aisha-1);
        font-size: var(--aisha-text-l);
        line-height: 1.3;
      }

      p {
        margin: 0 0 var(--aisha-4);
        color: var(--aisha-muted);
        font-size: var(--aisha-text-s);
        line-height: 1.5;
      }

      ul {
        display: grid;
        gap: var(--aisha-2);
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li button {
        display: flex;
        align-items: center;
        gap: var(--aisha-3);
        inline-size: 100%;
        padding: 10px var(--aisha-3);
        text-align: start;
        border: 1px solid var(--aisha-line);
        border-radius: var(--aisha-radius);
        background: var(--aisha-raised);
        transition: background var(--aisha-speed);
      }

      li button:hover:not(:disabled) {
        background: var(--aisha-hover);
      }

      svg {
        flex: none;
        color: var(--aisha-accent);
      }

      .text {
        flex: 1;
        min-inline-size: 0;
        line-height: 1.35;
      }

      strong {
        display: block;
        font-size: var(--aisha-text-s);
        font-weight: 600;
      }

      .text span {
        font-size: var(--aisha-text-s);
        color: var(--aisha-muted);
      }

      kbd {
        min-inline-size: 20px;
        padding: 1px 5px;
        text-align: center;
        font: inherit;
        font-size: var(--aisha-text-xs);
        color: var(--aisha-muted);
        border: 1px solid var(--aisha-line);
        border-radius: 5px;
      }

      @media (hover: none) {
        kbd {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) actions!: Actions;
  @property({ type: Boolean, attribute: "on-record" }) onRecord = false;
  /** The API understands English alone: what the buttons send is English, too. */
  @property({ type: Boolean }) english = false;
  @property({ type: Boolean }) busy = false;

  override render() {
    const { words } = this;
    return html`<h3>${words.say("welcome_title")}</h3>
      <p>${words.say("welcome_text")}</p>
      <ul aria-label=${words.say("quick")}>
        ${this.onRecord ? this.item({ label: "quick_record", icon: "source" }, null) : nothing}
        ${QUICK.map((quick, place) => this.item(quick, place + 1))}
      </ul>`;
  }

  private item(quick: Quick, key: number | null) {
    const { words, english, actions, busy } = this;
    const { label } = quick;
    const text = label === "quick_next" ? words.say("quick_next_about") : words.sentence(`${label}_text`, english);
    return html`<li>
      <button ?disabled=${busy} @click=${() => act(quick, words, english, actions)} aria-keyshortcuts=${key ?? nothing}>
        ${icon(quick.icon, 20)}
        <span class="text"><strong>${words.say(label)}</strong><span>${text}</span></span>
        ${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}
      </button>
    </li>`;
  }
}
