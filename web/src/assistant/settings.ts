/** What the user can set: appearance, how answers are written, which model answers, and the voice. */

import { LitElement, css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { asApiError, dataOf, type Api, type components } from "../api/index.js";
import { element } from "./element.js";
import { errorText } from "./error_text.js";
import "./notice.js";
import type { Preferences, Theme } from "./preferences.js";
import { base } from "./theme.js";
import { voicesFor } from "./speech.js";
import type { Words } from "./words.js";

type Mode = components["schemas"]["Mode"]["mode"];
type Models = components["schemas"]["Models"];

const THEMES: readonly Theme[] = ["midnight", "light", "system"];

@element("aisha-settings")
export class AishaSettings extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
        overflow-y: auto;
        padding: var(--aisha-4);
        font-size: var(--aisha-text-s);
        scrollbar-width: thin;
      }

      fieldset,
      .field {
        display: block;
        margin: 0 0 var(--aisha-5);
        padding: 0;
        border: 0;
      }

      legend,
      .field > span {
        display: block;
        margin-block-end: var(--aisha-2);
        padding: 0;
        font-weight: 600;
      }

      .options {
        display: grid;
        gap: var(--aisha-1);
      }

      .option,
      .check {
        display: flex;
        align-items: flex-start;
        gap: var(--aisha-2);
        padding: var(--aisha-2);
        border-radius: var(--aisha-radius-s);
        cursor: pointer;
        line-height: 1.4;
      }

      .option:hover,
      .check:hover {
        background: var(--aisha-hover);
      }

      .option small {
        display: block;
        font-size: var(--aisha-text-xs);
        color: var(--aisha-muted);
      }

      input[type="radio"],
      input[type="checkbox"] {
        min-block-size: 0;
        inline-size: 16px;
        block-size: 16px;
        margin: 1px 0 0;
        flex: none;
        accent-color: var(--aisha-accent-fill);
      }

      select {
        inline-size: 100%;
      }
    `,
  ];

  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) preferences!: Preferences;
  @state() private mode: Mode | null = null;
  @state() private models: Models | null = null;
  @state() private failure = "";

  override firstUpdated(): void {
    void this.load();
  }

  override render() {
    const { words, preferences } = this;
    return html`
      ${this.failure ? html`<aisha-notice .words=${words} .text=${this.failure} retryable @retry=${this.load}></aisha-notice>` : nothing}
      <fieldset>
        <legend>${words.say("theme")}</legend>
        <div class="options">
          ${THEMES.map((theme) =>
            this.option("theme", theme, words.say(`theme_${theme}`), "", preferences.theme === theme, () =>
              this.change({ theme }),
            ),
          )}
        </div>
      </fieldset>
      ${this.modes()} ${this.modelChoice()} ${this.voice()} ${this.callVoice()}
    `;
  }

  private modes() {
    if (!this.mode || !this.models) return nothing;
    const { words } = this;
    return html`<fieldset>
      <legend>${words.say("mode")}</legend>
      <div class="options">
        ${Object.entries(this.models.modes).map(([mode, text]) =>
          this.option(
            "mode",
            mode,
            words.named("mode_", mode, mode),
            words.named("mode_about_", mode, text),
            this.mode === mode,
            () => this.setMode(mode as Mode),
          ),
        )}
      </div>
    </fieldset>`;
  }

  private option(group: string, value: string, label: string, about: string, isChosen: boolean, choose: () => void) {
    return html`<label class="option">
      <input type="radio" name=${group} value=${value} .checked=${isChosen} @change=${choose} />
      <span>${label}${about ? html`<small>${about}</small>` : nothing}</span>
    </label>`;
  }

  private modelChoice() {
    if (!this.models) return nothing;
    const { words, preferences } = this;
    return html`<label class="field">
      <span>${words.say("model")}</span>
      <select @change=${(event: Event) => this.change({ model: (event.target as HTMLSelectElement).value })}>
        <option value="">${words.say("model_default")}</option>
        ${this.models.providers.map(
          (provider) =>
            html`<optgroup label=${provider.name}>
              ${provider.models.map((model) => {
                const value = `${model.provider}/${model.model}`;
                return html`<option value=${value} ?selected=${value === preferences.model}>${model.model}</option>`;
              })}
            </optgroup>`,
        )}
      </select>
    </label>`;
  }

  private voice() {
    const { words, preferences } = this;
    const voices = voicesFor(words.locale);
    return html`<div class="field">
      <span id="voice">${words.say("voice")}</span>
      <label class="check">
        <input
          type="checkbox"
          .checked=${preferences.isReadAloud}
          @change=${(event: Event) => this.change({ isReadAloud: (event.target as HTMLInputElement).checked })}
        />
        ${words.say("read_answers")}
      </label>
      ${
        voices.length
          ? html`<select
              aria-labelledby="voice"
              @change=${(event: Event) => this.change({ voice: (event.target as HTMLSelectElement).value })}
            >
              <option value="">${words.say("voice_default")}</option>
              ${voices.map(
                (voice) =>
                  html`<option value=${voice.voiceURI} ?selected=${voice.voiceURI === preferences.voice}>
                    ${voice.name}
                  </option>`,
              )}
            </select>`
          : nothing
      }
    </div>`;
  }

  private callVoice() {
    const { words, preferences, models } = this;
    if (!models?.realtimeVoices.length) return nothing;
    return html`<label class="field">
      <span>${words.say("call_voice")}</span>
      <select @change=${(event: Event) => this.change({ callVoice: (event.target as HTMLSelectElement).value })}>
        <option value="">${words.say("model_default")}</option>
        ${models.realtimeVoices.map(
          (voice) =>
            html`<option value=${voice} ?selected=${voice === preferences.callVoice}>
              ${voice[0]!.toUpperCase() + voice.slice(1)}
            </option>`,
        )}
      </select>
    </label>`;
  }

  private load = async (): Promise<void> => {
    await this.attempt(async () => {
      const [mode, models] = await Promise.all([
        dataOf(this.api.rest.GET("/api/ai/mode")),
        dataOf(this.api.rest.GET("/api/ai/models")),
      ]);
      this.mode = mode.mode;
      this.models = models;
    });
  };

  private async setMode(mode: Mode): Promise<void> {
    const before = this.mode;
    this.mode = mode;
    await this.attempt(async () => {
      await this.api.rest.POST("/api/ai/mode/{mode}", { params: { path: { mode } } });
    });
    if (this.failure) this.mode = before;
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    this.failure = "";
    try {
      await act();
    } catch (error) {
      this.failure = errorText(asApiError(error), this.words);
    }
  }

  private change(members: Partial<Preferences>): void {
    this.dispatchEvent(new CustomEvent("change", { detail: { ...this.preferences, ...members } }));
  }
}
