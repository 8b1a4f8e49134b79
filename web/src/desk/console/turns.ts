/** The turns of all users, the newest first. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import { wordsOf, type Desk } from "../desk.js";
import { cost, milliseconds, moment, nameOf } from "../format.js";
import { Loader } from "../loader.js";
import { doorName } from "../records.js";
import { badge, empty, NO_MODEL, toolName, ui } from "../ui.js";
import { say, type Text } from "../words.js";

type Turns = components["schemas"]["Turns"];

const COLUMNS: Text[] = ["column_time", "column_user", "field_status", "column_tools", "column_model"];

@element("desk-turns")
export class DeskTurns extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      .whole {
        white-space: nowrap;
      }

      .tools {
        font-size: var(--aisha-text-xs);
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private onlyFailed = false;
  private readonly loader = new Loader<Turns>(this, () => this.page());

  protected override render(): TemplateResult {
    return html`<div class="head">
        <label class="row">
          <input
            type="checkbox"
            .checked=${this.onlyFailed}
            @change=${(event: Event) => {
              this.onlyFailed = (event.target as HTMLInputElement).checked;
              void this.loader.load();
            }}
          />
          ${say("only_failed")}
        </label>
        <button class="button end" @click=${() => this.loader.load()}>${say("refresh")}</button>
      </div>
      ${this.loader.show((turns) => this.table(turns))}`;
  }

  private table(turns: Turns): TemplateResult {
    if (!turns.items.length) return empty(say("no_turns"));
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${say("tab_turns")}>
        <table>
          <thead>
            <tr>
              ${COLUMNS.map((title) => html`<th scope="col">${say(title)}</th>`)}
              <th scope="col" class="number">${say("column_took")}</th>
              <th scope="col" class="number">${say("column_cost")}</th>
            </tr>
          </thead>
          <tbody>
            ${turns.items.map(
              (turn) =>
                html`<tr>
                  <td class="whole"><a class="link" href="#/console/turns/${turn.messageId}">${moment(turn.at)}</a></td>
                  <td>${nameOf(turn.user)}<br /><span class="muted">${doorName(turn.door)}</span></td>
                  <td>${badge(turn.status)}</td>
                  <td class="name tools">
                    ${
                      turn.tools.length
                        ? turn.tools.map((tool, place) => html`${place ? ", " : nothing}${toolName(tool)}`)
                        : "—"
                    }
                  </td>
                  <td class="whole">${turn.model === NO_MODEL ? "—" : turn.model}</td>
                  <td class="number">${milliseconds(turn.totalMs)}</td>
                  <td class="number">${cost(turn.costUsd)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${turns.nextCursor ? html`<button class="button" @click=${() => this.more(turns)}>${say("show_more")}</button>` : nothing}`;
  }

  private page(cursor?: string): Promise<Turns> {
    const query = { limit: 25, ...(this.onlyFailed ? { success: false } : {}), ...(cursor ? { cursor } : {}) };
    return dataOf(this.desk.api.rest.GET("/api/ai/turns", { params: { query } }));
  }

  private async more(turns: Turns): Promise<void> {
    try {
      const page = await this.page(turns.nextCursor!);
      this.loader.value = { ...page, items: [...turns.items, ...page.items] };
      this.requestUpdate();
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
    }
  }
}
