/** The desk's pages by their paths: which element shows a path, what the page is called, and where a name leads. */

import { html, type TemplateResult } from "lit";
import type { NavigateDetail } from "../assistant/assistant.js";
import "./activities.js";
import "./board.js";
import "./console/console.js";
import "./dashboard.js";
import type { Desk } from "./desk.js";
import { kindOf, kindOfPage, label } from "./records.js";
import "./record.js";
import "./settings.js";
import "./table.js";
import { say } from "./words.js";

/** The names under which the assistant's tool opens pages, where the desk calls them otherwise. */
const ALIASES: Record<string, string> = {
  dashboard: "",
  pipeline: "opportunities",
  goals: "",
  documents: "console/documents",
};

/** Return the page of a path; the overview where there is no such page, or none for this user. */
export function pageOf(desk: Desk, path: string, theme: string): TemplateResult {
  const [page = "", id = ""] = path.split("/");
  const kind = kindOfPage(page);
  if (page === "calendar") return html`<desk-activities .desk=${desk} view="calendar"></desk-activities>`;
  if (page === "settings") return html`<desk-settings .desk=${desk}></desk-settings>`;
  if (page === "console" && desk.profile.isAdmin) {
    return html`<desk-console .desk=${desk} path=${path.slice("console/".length)} theme=${theme}></desk-console>`;
  }
  if (!kind) return html`<desk-dashboard .desk=${desk} theme=${theme}></desk-dashboard>`;
  if (id) return html`<desk-record .desk=${desk} .kind=${kind} recordId=${id}></desk-record>`;
  if (kind.type === "opportunity") return html`<desk-board .desk=${desk}></desk-board>`;
  if (kind.type === "activity") return html`<desk-activities .desk=${desk} view="list"></desk-activities>`;
  return html`<desk-table .desk=${desk} .kind=${kind}></desk-table>`;
}

/** Return what the page of a path is called, by the tenant's words for its records. */
export function pageName(path: string, labels: Desk["profile"]["labels"]): string {
  const [page = ""] = path.split("/");
  const kind = kindOfPage(page);
  if (kind) return label(kind, labels, true);
  return say(page === "calendar" || page === "console" || page === "settings" ? page : "overview");
}

/** Return the path of what the assistant opens; null for what the desk does not have. */
export function pathOf({ page, record }: NavigateDetail): string | null {
  const kind = record ? kindOf(record.type) : undefined;
  if (record && kind) return `${kind.page}/${record.id}`;
  return page ? (ALIASES[page] ?? page) : null;
}
