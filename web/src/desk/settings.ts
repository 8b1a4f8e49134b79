/** The user's settings: mode, standing instructions, notifications, and what is kept for the user. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, type components } from "../api/index.js";
import { base } from "../assistant/theme.js";
import { element } from "../assistant/element.js";
import { wordsOf, type Desk } from "./desk.js";
import { date, moment, nameOf } from "./format.js";
import { failed, skeleton, ui } from "./ui.js";
import { chooseLanguage, chosenLanguage, LANGUAGES, named, say } from "./words.js";

type Schemas = components["schemas"];
type Mode = Schemas["Mode"]["mode"];
type Settings = Schemas["NotificationSettings"];

interface Loaded {
  mode: Mode;
  modes: Record<string, string>;
  instructions: Schemas["Instruction"][];
  memories: Schemas["Memory"][];
  notes: Schemas["StickyNote"][];
  settings: Settings;
  coming: Schemas["Notification"][];
}

type Kept = "/api/ai/instructions/{id}" | "/api/ai/memories/{id}" | "/api/ai/sticky-notes/{id}";

const MAX_INSTRUCTION = 300;

/** Return a list of texts with a button that deletes each. */
function kept(items: { id: string; text: string; about?: string }[], forget: (id: string) => void): TemplateResult {
  return html`<ul>
    ${items.map(
      ({ id, text, about }) =>
        html`<li>
          <span dir="auto">${text}${about ? html` <span class="muted">${about}</span>` : nothing}</span>
          <button class="button" aria-label=${say("delete_one", { text })} @click=${() => forget(id)}>
            ${say("delete")}
          </button>
        </li>`,
    )}
  </ul>`;
}

@element("desk-settings")
export class DeskSettings extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      ul {
        display: grid;
        gap: var(--aisha-2);
        margin: 0 0 var(--aisha-3);
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--aisha-3);
        overflow-wrap: anywhere;
      }

      fieldset {
        display: grid;
        gap: var(--aisha-3);
        border: 0;
        margin: 0;
        padding: 0;
      }

      fieldset label {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 2px var(--aisha-2);
        align-items: center;
      }

      fieldset .muted {
        grid-column: 2;
      }

      input[type="radio"],
      input[type="checkbox"] {
        min-block-size: 0;
        inline-size: 18px;
        block-size: 18px;
        accent-color: var(--aisha-accent-fill);
      }

      form {
        display: flex;
        gap: var(--aisha-2);
      }

      form input {
        flex: 1;
        min-inline-size: 0;
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private loaded: Loaded | null = null;
  @state() private error = "";
  /** The secret of a new webhook, which the API tells once. */
  @state() private secret = "";
  /** How many changes the user has made. */
  private changes = 0;

  protected override firstUpdated(): void {
    void this.load();
  }

  protected override render(): TemplateResult {
    if (this.error) return failed(this.error, () => this.load());
    const loaded = this.loaded;
    if (!loaded) return skeleton();
    return html`<div class="head"><h1>${say("settings")}</h1></div>
      <div class="grid">
        <section class="card">
          <h2 id="mode">${say("how_it_answers")}</h2>
          <fieldset aria-labelledby="mode">
            ${Object.entries(loaded.modes).map(
              ([mode, text]) =>
                html`<label>
                  <input
                    type="radio"
                    name="mode"
                    .checked=${mode === loaded.mode}
                    @change=${() => this.setMode(mode as Mode)}
                  />
                  <strong>${named("mode_", mode, nameOf(mode))}</strong
                  ><span class="muted">${named("mode_", `${mode}_text`, text)}</span>
                </label>`,
            )}
          </fieldset>
        </section>
        <section class="card">${this.instructions(loaded)}</section>
        <section class="card stack">${this.notifications(loaded.settings)}</section>
        <section class="card">
          <h2>${say("due_and_coming")}</h2>
          ${
            loaded.coming.length
              ? html`<ul>
                  ${loaded.coming.map(
                    (one) =>
                      html`<li>
                        <span>${one.title}</span><span class="muted">${one.dueAt ? moment(one.dueAt) : ""}</span>
                      </li>`,
                  )}
                </ul>`
              : html`<p class="muted">${say("nothing_coming")}</p>`
          }
        </section>
        <section class="card">
          <h2>${say("memories")}</h2>
          ${
            loaded.memories.length
              ? kept(
                  loaded.memories.map((one) => ({ ...one, about: date(one.updatedAt) })),
                  (id) => this.forget("/api/ai/memories/{id}", id),
                )
              : html`<p class="muted">${say("memories_hint")}</p>`
          }
        </section>
        <section class="card">
          <h2>${say("sticky_notes")}</h2>
          ${
            loaded.notes.length
              ? kept(
                  loaded.notes.map((one) => ({ ...one, about: one.dueAt ? moment(one.dueAt) : "" })),
                  (id) => this.forget("/api/ai/sticky-notes/{id}", id),
                )
              : html`<p class="muted">${say("sticky_hint")}</p>`
          }
        </section>
        <section class="card stack">
          <h2>${say("language")}</h2>
          <label class="field"
            ><span class="muted">${say("language_hint")}</span>
            <select @change=${(event: Event) => chooseLanguage((event.target as HTMLSelectElement).value)}>
              ${Object.entries({ "": say("language_browser"), ...LANGUAGES }).map(
                ([code, name]) => html`<option value=${code} ?selected=${code === chosenLanguage()}>${name}</option>`,
              )}
            </select>
          </label>
        </section>
      </div>`;
  }

  private instructions(loaded: Loaded): TemplateResult {
    return html`<h2>${say("standing_instructions")}</h2>
      ${
        loaded.instructions.length
          ? kept(loaded.instructions, (id) => this.forget("/api/ai/instructions/{id}", id))
          : html`<p class="muted">${say("instruction_hint")}</p>
              <br />`
      }
      <form @submit=${this.add}>
        <input
          name="text"
          required
          maxlength=${MAX_INSTRUCTION}
          aria-label=${say("new_instruction")}
          placeholder=${say("new_instruction")}
        />
        <button class="button primary">${say("add")}</button>
      </form>`;
  }

  private notifications(settings: Settings): TemplateResult {
    const save = (members: Partial<Settings>): void => void this.save(members);
    return html`<h2>${say("notifications")}</h2>
      <label class="field"
        >${say("also_sent_by")}
        <select
          .value=${settings.channel}
          @change=${(event: Event) => save({ channel: (event.target as HTMLSelectElement).value as Settings["channel"] })}
        >
          <option value="in_app" ?selected=${settings.channel === "in_app"}>${say("in_app")}</option>
          <option value="email" ?selected=${settings.channel === "email"}>${say("email")}</option>
          <option value="webhook" ?selected=${settings.channel === "webhook"}>${say("webhook")}</option>
        </select>
      </label>
      ${
        settings.channel === "webhook"
          ? html`<label class="field"
              >${say("webhook_url")}
              <input
                type="url"
                required
                maxlength="500"
                placeholder="https://"
                .value=${settings.webhookUrl ?? ""}
                @change=${(event: Event) => save({ webhookUrl: (event.target as HTMLInputElement).value.trim() })}
              />
              ${this.secret ? html`<span class="muted">${say("signing_hint")} <code>${this.secret}</code></span>` : nothing}
            </label>`
          : nothing
      }
      <label class="row">
        <input
          type="checkbox"
          .checked=${settings.digest ?? false}
          @change=${(event: Event) => save({ digest: (event.target as HTMLInputElement).checked })}
        />
        ${say("digest")}
      </label>
      <label class="field"
        >${say("digest_at")}
        <select
          .value=${String(settings.digestHour)}
          ?disabled=${!settings.digest}
          @change=${(event: Event) => save({ digestHour: Number((event.target as HTMLSelectElement).value) })}
        >
          ${Array.from({ length: 24 }, (_, hour) => {
            const text = `${String(hour).padStart(2, "0")}:00`;
            return html`<option value=${hour} ?selected=${hour === settings.digestHour}>${text}</option>`;
          })}
        </select>
        <span class="muted">${settings.zone ?? nothing}</span>
      </label>`;
  }

  /** Show what is stored, unless something was changed since it was asked for: then the change loads it anew. */
  private async load(): Promise<void> {
    this.error = "";
    const { rest } = this.desk.api;
    const { changes } = this;
    try {
      const [mode, models, instructions, memories, notes, settings, notifications] = await Promise.all([
        dataOf(rest.GET("/api/ai/mode")),
        dataOf(rest.GET("/api/ai/models")),
        dataOf(rest.GET("/api/ai/instructions")),
        dataOf(rest.GET("/api/ai/memories")),
        dataOf(rest.GET("/api/ai/sticky-notes")),
        dataOf(rest.GET("/api/ai/notifications/settings")),
        dataOf(rest.GET("/api/ai/notifications", { params: { query: { includeComing: true } } })),
      ]);
      if (changes !== this.changes) return;
      this.loaded = {
        mode: mode.mode,
        modes: models.modes,
        instructions: instructions.items,
        memories: memories.items,
        notes: notes.items,
        settings,
        coming: notifications.notifications,
      };
    } catch (error) {
      this.error = wordsOf(error);
    }
  }

  private async setMode(mode: Mode): Promise<void> {
    await this.try(() => this.desk.api.rest.POST("/api/ai/mode/{mode}", { params: { path: { mode } } }));
  }

  private readonly add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = String(new FormData(form).get("text") ?? "").trim();
    if (text && (await this.try(() => this.desk.api.rest.POST("/api/ai/instructions", { body: { text } }))))
      form.reset();
  };

  private async forget(path: Kept, id: string): Promise<void> {
    await this.try(() => this.desk.api.rest.DELETE(path, { params: { path: { id } } }), say("deleted"));
  }

  /** Store all settings, with those that were changed while another change is under way. */
  private async save(members: Partial<Settings>): Promise<void> {
    const settings = { ...this.loaded!.settings, ...members };
    this.loaded = { ...this.loaded!, settings };
    const { channel, digest, digestHour, webhookUrl } = settings;
    // A webhook is stored with its address. Until then its choice counts as a change, or the load after an earlier one
    // would take it back.
    if (channel === "webhook" && !webhookUrl) {
      this.changes += 1;
      return;
    }
    const body = { channel, digest, digestHour, ...(webhookUrl ? { webhookUrl } : {}) };
    await this.try(async () => {
      const saved = await dataOf(this.desk.api.rest.POST("/api/ai/notifications/settings", { body: body as never }));
      this.secret = saved.webhookSecret ?? this.secret;
    });
  }

  /** Run a change, tell the user how it went, and show what is stored now. */
  private async try(change: () => Promise<unknown>, done = say("saved")): Promise<boolean> {
    this.changes += 1;
    try {
      await change();
      this.desk.tell(done);
      return true;
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
      return false;
    } finally {
      await this.load();
    }
  }
}
