/** The console of an admin: its tabs. */

import { LitElement, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { base } from "../../assistant/theme.js";
import { element } from "../../assistant/element.js";
import type { Desk } from "../desk.js";
import { ui } from "../ui.js";
import { say, type Text } from "../words.js";
import "./analytics.js";
import "./assistant.js";
import "./audit.js";
import "./connections.js";
import "./documents.js";
import "./operations.js";
import "./tools.js";
import "./trust.js";
import "./turn.js";
import "./turns.js";
import "./usage.js";

const TABS: Record<string, Text> = {
  "": "tab_usage",
  turns: "tab_turns",
  analytics: "tab_analytics",
  audit: "tab_audit",
  tools: "tab_tools",
  trust: "tab_roles",
  assistant: "tab_assistant",
  documents: "tab_documents",
  connections: "tab_connections",
  operations: "tab_health",
};

@element("desk-console")
export class DeskConsole extends LitElement {
  static override styles = [base, ui];

  @property({ attribute: false }) desk!: Desk;
  /** What is open in it: a tab's name, and perhaps an id. */
  @property() path = "";
  @property() theme = "";

  protected override render(): TemplateResult {
    const [tab = ""] = this.path.split("/");
    return html`<div class="head"><h1>${say("console")}</h1></div>
      <nav class="tabs head" aria-label=${say("console")}>
        ${Object.entries(TABS).map(
          ([name, title]) =>
            html`<a href="#/console${name ? `/${name}` : ""}" aria-current=${name === tab ? "page" : nothing}
              >${say(title)}</a
            >`,
        )}
      </nav>
      ${this.view()}`;
  }

  private view(): TemplateResult {
    const { desk, theme } = this;
    const [tab = "", id = ""] = this.path.split("/");
    switch (tab) {
      case "turns":
        return id
          ? html`<desk-turn .desk=${desk} messageId=${id}></desk-turn>`
          : html`<desk-turns .desk=${desk}></desk-turns>`;
      case "analytics":
        return html`<desk-analytics .desk=${desk} theme=${theme}></desk-analytics>`;
      case "audit":
        return html`<desk-audit .desk=${desk}></desk-audit>`;
      case "tools":
        return html`<desk-tools .desk=${desk}></desk-tools>`;
      case "trust":
        return html`<desk-trust .desk=${desk}></desk-trust>`;
      case "assistant":
        return html`<desk-assistant-profile .desk=${desk}></desk-assistant-profile>`;
      case "documents":
        return html`<desk-documents .desk=${desk}></desk-documents>`;
      case "connections":
        return html`<desk-connections .desk=${desk}></desk-connections>`;
      case "operations":
        return html`<desk-operations .desk=${desk}></desk-operations>`;
      default:
        return html`<desk-usage .desk=${desk} theme=${theme}></desk-usage>`;
    }
  }
}
