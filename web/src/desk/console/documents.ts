/** The tenant's documents: upload, list, read and delete. */

import { LitElement, css, html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import { wordsOf, type Desk } from "../desk.js";
import { Loader } from "../loader.js";
import { empty, ui } from "../ui.js";
import { say } from "../words.js";

type Documents = components["schemas"]["Documents"];
type Document = Documents["items"][number];

@element("desk-documents")
export class DeskDocuments extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      form {
        display: grid;
        gap: var(--aisha-3);
        max-inline-size: 640px;
        margin-block-start: var(--aisha-4);
      }

      textarea {
        min-block-size: 160px;
        resize: vertical;
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private deleting = "";
  private readonly loader = new Loader<Documents>(this, () => dataOf(this.desk.api.rest.GET("/api/ai/documents")));

  protected override render(): TemplateResult {
    return html`<p class="muted head">${say("documents_hint")}</p>
      ${this.loader.show((documents) => this.table(documents))}
      <form class="card" @submit=${this.add}>
        <h2>${say("document_add")}</h2>
        <label class="field"
          >${say("document_file")} <input type="file" accept=".md,.txt,text/*" @change=${this.read}
        /></label>
        <label class="field">${say("field_title")} <input name="title" required maxlength="200" /></label>
        <label class="field">${say("document_about")} <input name="description" required maxlength="300" /></label>
        <label class="field">${say("field_content")} <textarea name="text" required></textarea></label>
        <div><button class="button primary">${say("save")}</button></div>
      </form>`;
  }

  private table(documents: Documents): TemplateResult {
    if (!documents.items.length) return empty(say("document_none"));
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${say("tab_documents")}>
      <table>
        <thead>
          <tr>
            <th scope="col">${say("field_title")}</th>
            <th scope="col">${say("document_about")}</th>
            <th scope="col"><span class="hidden-text">${say("actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${documents.items.map(
            (one) =>
              html`<tr>
                <td class="name">${one.title}</td>
                <td class="name">${one.description}</td>
                <td class="number">${this.actions(one)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private actions(one: Document): TemplateResult {
    if (this.deleting !== one.id) {
      return html`<button
        class="button"
        aria-label=${say("delete_one", { text: one.title })}
        @click=${() => (this.deleting = one.id)}
      >
        ${say("delete")}
      </button>`;
    }
    return html`<span class="row">
      <button class="button danger" @click=${() => this.discard(one)}>${say("document_delete")}</button>
      <button class="button" @click=${() => (this.deleting = "")}>${say("document_keep")}</button>
    </span>`;
  }

  private async read(event: Event): Promise<void> {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (!file) return;
    const form = (event.target as HTMLInputElement).form!;
    (form.elements.namedItem("text") as HTMLTextAreaElement).value = await file.text();
    const title = form.elements.namedItem("title") as HTMLInputElement;
    title.value ||= file.name.replace(/\.\w+$/, "").replace(/[-_]+/g, " ");
  }

  private async add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    const text = (name: string): string => String(fields.get(name) ?? "");
    const id =
      text("title")
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, 60) || "document";
    await this.try(async () => {
      const body = { title: text("title"), description: text("description"), text: text("text") };
      await this.desk.api.rest.PUT("/api/ai/documents/{id}", { params: { path: { id } }, body: body as never });
      form.reset();
      this.desk.tell(say("document_saved"));
    });
  }

  private async discard(one: Document): Promise<void> {
    this.deleting = "";
    await this.try(() => this.desk.api.rest.DELETE("/api/ai/documents/{id}", { params: { path: { id: one.id } } }));
  }

  private async try(change: () => Promise<unknown>): Promise<void> {
    try {
      await change();
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
    }
    await this.loader.load();
  }
}
