/** The tenant's assistant: its name, its persona, and the tenant's words for records. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import { wordsOf, type Desk, type Profile } from "../desk.js";
import { nameOf } from "../format.js";
import { Loader } from "../loader.js";
import { label, KINDS } from "../records.js";
import { ui } from "../ui.js";
import { say } from "../words.js";

@element("desk-assistant-profile")
export class DeskAssistantProfile extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      form {
        display: grid;
        gap: var(--aisha-4);
        max-inline-size: 640px;
      }

      textarea {
        min-block-size: 120px;
        resize: vertical;
      }

      fieldset {
        display: grid;
        gap: var(--aisha-3);
        grid-template-columns: repeat(auto-fit, minmax(160px, 1fr));
        margin: 0;
        padding: 0;
        border: 0;
      }

      legend {
        font-weight: 600;
        margin-block-end: var(--aisha-2);
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private isSaving = false;
  private readonly loader = new Loader<Profile>(this, () => dataOf(this.desk.api.rest.GET("/api/ai/profile")));

  protected override render(): TemplateResult {
    return this.loader.show((profile) => this.form(profile));
  }

  private form(profile: Profile): TemplateResult {
    const admin = profile.admin!;
    return html`<form @submit=${(event: SubmitEvent) => this.save(event, admin.version)}>
      <label class="field">
        ${say("column_name")}
        <input name="name" maxlength="60" .value=${profile.assistantName} />
      </label>
      <label class="field">
        ${say("persona")}
        <textarea name="persona" maxlength="3010" .value=${admin.persona.join("\n")}></textarea>
        <span class="muted">${say("persona_hint")}</span>
      </label>
      <fieldset>
        <legend>${say("own_words")}</legend>
        ${KINDS.map(
          (kind) =>
            html`<label class="field"
              >${label(kind, {})}
              <input
                name="label.${kind.type}"
                maxlength="60"
                .value=${profile.labels[kind.type] ?? ""}
                placeholder=${label(kind, {})}
              />
            </label>`,
        )}
      </fieldset>
      <div class="row">
        <button class="button primary" ?disabled=${this.isSaving}>${say("save")}</button>
        <span class="muted">
          ${say("operator_plan", { plan: nameOf(admin.plan) })}
          ${admin.provider ? say("operator_models", { provider: nameOf(admin.provider) }) : nothing}
          ${say(admin.masksContacts ? "operator_masked" : "operator_unmasked")} ${say("operator_sets")}
        </span>
      </div>
    </form>`;
  }

  private async save(event: SubmitEvent, version: number): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const text = (name: string): string => String(fields.get(name) ?? "").trim();
    const lines = text("persona")
      .split("\n")
      .map((line) => line.trim());
    const labels = KINDS.map((kind) => [kind.type, text(`label.${kind.type}`)]).filter(([, word]) => word);
    this.isSaving = true;
    try {
      const body = {
        assistantName: text("name"),
        persona: lines.filter(Boolean),
        labels: Object.fromEntries(labels) as Record<string, string>,
        version,
      };
      await this.desk.api.rest.PATCH("/api/ai/profile", { body });
      this.desk.tell([say("saved"), say("holds_soon"), say("own_words_saved")].join(" "));
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
    }
    this.isSaving = false;
    await this.loader.load();
  }
}
