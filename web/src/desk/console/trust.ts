/** Who is asked about writes that their words do not order, and what a role may not do. */

import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import { wordsOf, type Desk } from "../desk.js";
import { Loader } from "../loader.js";
import { uncapitalised, valueName } from "../records.js";
import { badge, ui } from "../ui.js";
import { say } from "../words.js";

type Tool = components["schemas"]["Tool"];
type Admin = components["schemas"]["ProfileAdmin"];
type Verdict = Admin["rules"][string];
type Members = Pick<components["schemas"]["ProfileBody"], "trust" | "roleRules">;
type Part = "trust" | "roleRules";

interface Loaded {
  tools: Tool[];
  admin: Admin;
  roles: string[];
}

const ANY_ROLE = "*";
const VERDICTS: Verdict[] = ["allow", "ask", "deny"];
const TONES: Record<Verdict, string> = { allow: "good", ask: "warn", deny: "bad" };

@element("desk-trust")
export class DeskTrust extends LitElement {
  static override styles = [
    base,
    ui,
    css`
      :host {
        display: grid;
        gap: var(--aisha-4);
        max-inline-size: 900px;
      }

      .card {
        display: grid;
        gap: var(--aisha-3);
      }

      h2,
      .card p {
        margin: 0;
      }

      .card p {
        max-inline-size: 72ch;
      }

      form {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 170px), 1fr));
        gap: var(--aisha-3);
        align-items: end;
      }

      form :is(select, input) {
        block-size: 38px;
      }

      form .button {
        justify-self: start;
        block-size: 38px;
      }

      td:last-child {
        text-align: end;
      }

      .done {
        color: var(--aisha-good);
      }
    `,
  ];

  @property({ attribute: false }) desk!: Desk;
  @state() private busy: Part | "" = "";
  /** What became of the last change, and the card that it belongs to. */
  @state() private outcome: { part: Part; text: string; isError: boolean } | null = null;
  private readonly loader = new Loader<Loaded>(this, async () => {
    const { rest } = this.desk.api;
    const [catalogue, profile] = await Promise.all([
      dataOf(rest.GET("/api/ai/tools")),
      dataOf(rest.GET("/api/ai/profile")),
    ]);
    const admin = profile.admin!;
    const used = [...Object.values(admin.trust).flat(), ...Object.values(admin.roleRules).flatMap(Object.keys)];
    const roles = [...new Set([...profile.roles, ...used])].filter((role) => role !== ANY_ROLE).sort();
    const tools = catalogue.items.toSorted((one, other) => one.name.localeCompare(other.name));
    return { tools, admin, roles };
  });

  protected override render(): TemplateResult {
    return html`${this.loader.show((loaded) => html`${this.trust(loaded)} ${this.rules(loaded)}`)}`;
  }

  private trust(loaded: Loaded): TemplateResult {
    const { trust } = loaded.admin;
    const writing = loaded.tools.filter((tool) => tool.access === "write");
    return html`<section class="card">
      <h2>${say("trust")}</h2>
      <p class="muted">${say("trust_hint")}</p>
      ${
        Object.keys(trust).length
          ? this.table(
              [say("column_tool"), say("trust_roles")],
              Object.entries(trust).flatMap(([tool, roles]) =>
                roles.map((role) =>
                  this.row(tool, [roleName(role)], "trust", say("role_of", { tool, role: roleName(role) }), () => ({
                    trust: withoutEmpty({ ...trust, [tool]: roles.filter((one) => one !== role) }),
                  })),
                ),
              ),
            )
          : html`<p>${say("trust_nobody")}</p>`
      }
      <form @submit=${(event: SubmitEvent) => this.addTrust(event, loaded.admin)}>
        ${this.toolField(writing)} ${this.roleField(loaded.roles, "trust")}
        <button class="button primary" ?disabled=${this.busy !== ""}>${say("trust_add")}</button>
      </form>
      ${this.told("trust")}
    </section>`;
  }

  private rules(loaded: Loaded): TemplateResult {
    const { roleRules } = loaded.admin;
    return html`<section class="card">
      <h2>${say("role_rules")}</h2>
      <p class="muted">${say("role_rules_hint")}</p>
      ${
        Object.keys(roleRules).length
          ? this.table(
              [say("column_tool"), say("column_role"), say("column_rule")],
              Object.entries(roleRules).flatMap(([tool, byRole]) =>
                Object.entries(byRole).map(([role, verdict]) =>
                  this.row(
                    tool,
                    [role, badge(verdict, TONES[verdict])],
                    "roleRules",
                    say("role_of", { tool, role }),
                    () => {
                      const { [role]: _, ...others } = byRole;
                      return { roleRules: withoutEmpty({ ...roleRules, [tool]: others }) };
                    },
                  ),
                ),
              ),
            )
          : html`<p>${say("role_rules_none")}</p>`
      }
      <form @submit=${(event: SubmitEvent) => this.addRule(event, loaded.admin)}>
        ${this.toolField(loaded.tools)} ${this.roleField(loaded.roles, "rules")}
        <label class="field">
          ${say("column_rule")}
          <select name="verdict">
            ${VERDICTS.map(
              (value) => html`<option value=${value} ?selected=${value === "ask"}>${valueName(value)}</option>`,
            )}
          </select>
        </label>
        <button class="button primary" ?disabled=${this.busy !== ""}>${say("role_rule_add")}</button>
      </form>
      ${this.told("roleRules")}
    </section>`;
  }

  private table(titles: string[], rows: TemplateResult[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${titles.join(", ")}>
      <table>
        <thead>
          <tr>
            ${titles.map((title) => html`<th scope="col">${title}</th>`)}
            <th scope="col"><span class="hidden-text">${say("actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
  }

  private row(tool: string, cells: unknown[], part: Part, what: string, members: () => Members): TemplateResult {
    return html`<tr>
      <td class="name"><strong>${tool}</strong></td>
      ${cells.map((cell) => html`<td>${cell}</td>`)}
      <td>
        <button
          class="button"
          aria-label=${say("remove_one", { what })}
          ?disabled=${this.busy !== ""}
          @click=${() => this.save(part, members(), say("role_removed", { what }))}
        >
          ${say("remove")}
        </button>
      </td>
    </tr>`;
  }

  private toolField(tools: readonly Tool[]): TemplateResult {
    return html`<label class="field">
      ${say("column_tool")}
      <select name="tool" required>
        <option value="">${say("choose_tool")}</option>
        ${tools.map((tool) => html`<option value=${tool.name}>${tool.name}</option>`)}
      </select>
    </label>`;
  }

  private roleField(roles: readonly string[], name: "trust" | "rules"): TemplateResult {
    return html`<label class="field">
      ${say("column_role")}
      <input
        name="role"
        required
        maxlength="60"
        list="${name}-roles"
        autocomplete="off"
        placeholder=${say("role_hint")}
      />
      <datalist id="${name}-roles">
        ${name === "trust" ? html`<option value=${roleName(ANY_ROLE)}></option>` : nothing}
        ${roles.map((role) => html`<option value=${role}></option>`)}
      </datalist>
    </label>`;
  }

  private told(part: Part): TemplateResult | typeof nothing {
    if (this.outcome?.part !== part) return nothing;
    const { text, isError } = this.outcome;
    return html`<p class=${isError ? "error" : "done"} role=${isError ? "alert" : "status"}>${text}</p>`;
  }

  private addTrust(event: SubmitEvent, { trust }: Admin): void {
    const { form, tool, role } = readForm(event);
    const trusted = role.toLowerCase() === roleName(ANY_ROLE).toLowerCase() ? ANY_ROLE : role;
    const roles = [...new Set([...(trust[tool] ?? []), trusted])];
    void this.save(
      "trust",
      { trust: { ...trust, [tool]: roles } },
      say("trust_saved", { role: roleName(trusted), tool }),
      form,
    );
  }

  private addRule(event: SubmitEvent, { roleRules }: Admin): void {
    const { form, tool, role, verdict } = readForm(event);
    const byRole = { ...roleRules[tool], [role]: verdict as Verdict };
    const done = say("role_rule_saved", { role, tool, rule: uncapitalised(valueName(verdict)) });
    void this.save("roleRules", { roleRules: { ...roleRules, [tool]: byRole } }, done, form);
  }

  /** Store a change under the version that is shown, and say what became of it. What was entered stays on an error. */
  private async save(part: Part, members: Members, done: string, form?: HTMLFormElement): Promise<void> {
    const { version } = this.loader.value!.admin;
    this.busy = part;
    this.outcome = null;
    try {
      await this.desk.api.rest.PATCH("/api/ai/profile", { body: { ...members, version } });
      form?.reset();
      this.outcome = { part, text: [say("saved"), done, say("holds_soon")].join(" "), isError: false };
    } catch (error) {
      this.outcome = { part, text: wordsOf(error), isError: true };
    }
    await this.loader.load();
    this.busy = "";
  }
}

function readForm(event: SubmitEvent): { form: HTMLFormElement; tool: string; role: string; verdict: string } {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const fields = new FormData(form);
  const text = (name: string): string => String(fields.get(name) ?? "").trim();
  return { form, tool: text("tool"), role: text("role"), verdict: text("verdict") };
}

function roleName(role: string): string {
  return role === ANY_ROLE ? say("role_all") : role;
}

/** Return the members that have anything in them: the API has no empty ones. */
function withoutEmpty<T extends object>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => Object.keys(member).length));
}
