/** The tools with their toolkits and permissions, and the tenant's rule for each. */

import { LitElement, html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { dataOf, type components } from "../../api/index.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import { wordsOf, type Desk } from "../desk.js";
import { Loader } from "../loader.js";
import { partName, valueName } from "../records.js";
import { badge, toolName, ui } from "../ui.js";
import { named, say, type Text } from "../words.js";

type Tool = components["schemas"]["Tool"];
type Admin = components["schemas"]["ProfileAdmin"];
type Verdict = Admin["rules"][string];

interface Loaded {
  tools: Tool[];
  admin: Admin;
}

const COLUMNS: Text[] = [
  "column_tool",
  "column_toolkit",
  "column_access",
  "column_confirmation",
  "column_module",
  "column_rule",
];
const VERDICTS: Verdict[] = ["allow", "ask", "deny"];
const TONES: Record<string, string> = { read: "", write: "accent", delete: "bad", external: "warn" };

@element("desk-tools")
export class DeskTools extends LitElement {
  static override styles = [base, ui];

  @property({ attribute: false }) desk!: Desk;
  private readonly loader = new Loader<Loaded>(this, async () => {
    const { rest } = this.desk.api;
    const [catalogue, profile] = await Promise.all([
      dataOf(rest.GET("/api/ai/tools")),
      dataOf(rest.GET("/api/ai/profile")),
    ]);
    return { tools: catalogue.items, admin: profile.admin! };
  });

  protected override render(): TemplateResult {
    return html`<p class="muted head">${say("tools_hint")}</p>
      ${this.loader.show((loaded) => this.table(loaded))}`;
  }

  private table({ tools, admin }: Loaded): TemplateResult {
    const shown = new Set(tools.map((tool) => tool.name));
    const denied = Object.keys(admin.rules).filter((name) => !shown.has(name));
    const ordered = tools.toSorted(
      (one, other) => one.toolkit.localeCompare(other.toolkit) || one.name.localeCompare(other.name),
    );
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${say("tab_tools")}>
      <table>
        <thead>
          <tr>
            ${COLUMNS.map((title) => html`<th scope="col">${say(title)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${denied.map(
            (name) =>
              html`<tr>
                <td class="name"><strong>${toolName(name)}</strong></td>
                <td colspan="4" class="muted">${say("tool_denied")}</td>
                <td>${this.rule(name, admin)}</td>
              </tr>`,
          )}
          ${ordered.map(
            (tool) =>
              html`<tr>
                <td class="name">
                  <strong>${toolName(tool.name)}</strong><br /><span class="muted" lang="en">${firstLine(tool)}</span>
                </td>
                <td>${partName(tool.toolkit)}</td>
                <td>${badge(tool.access, TONES[tool.access] ?? "")}</td>
                <td>${named("confirms_", tool.confirmation, tool.confirmation)}</td>
                <td>${tool.module ? partName(tool.module) : "—"}</td>
                <td>${this.rule(tool.name, admin)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private rule(tool: string, admin: Admin): TemplateResult {
    const verdict = admin.rules[tool] ?? "";
    return html`<select
      aria-label=${say("tool_rule", { tool })}
      .value=${verdict}
      @change=${(event: Event) => this.change(tool, (event.target as HTMLSelectElement).value, admin)}
    >
      <option value="" ?selected=${!verdict}>${say("tool_no_rule")}</option>
      ${VERDICTS.map(
        (value) => html`<option value=${value} ?selected=${value === verdict}>${valueName(value)}</option>`,
      )}
    </select>`;
  }

  private async change(tool: string, verdict: string, admin: Admin): Promise<void> {
    const { [tool]: _, ...others } = admin.rules;
    const rules = verdict ? { ...others, [tool]: verdict as Verdict } : others;
    try {
      await this.desk.api.rest.PATCH("/api/ai/profile", { body: { rules, version: admin.version } });
      this.desk.tell(`${say("tool_rule_saved", { tool })} ${say("holds_soon")}`);
    } catch (error) {
      this.desk.tell(wordsOf(error), true);
    }
    await this.loader.load();
  }
}

function firstLine(tool: Tool): string {
  return tool.description.split("\n")[0] ?? "";
}
