/** Records of the CRM as the API gives them, and their words on the page. */

import type { components } from "../api/index.js";
import { date, money, nameOf } from "./format.js";

export type RecordType = "lead" | "contact" | "account" | "opportunity" | "activity" | "note" | "goal";
export type CrmRecord = components["schemas"]["Record"] & Record<string, unknown>;
export type Change = components["schemas"]["Change"];

export interface Kind {
  type: RecordType;
  /** The path and the page's name. */
  page: string;
  one: string;
  many: string;
  /** The permission that shows it. */
  module: string;
}

export const KINDS: readonly Kind[] = [
  { type: "lead", page: "leads", one: "Lead", many: "Leads", module: "leads" },
  { type: "contact", page: "contacts", one: "Contact", many: "Contacts", module: "contacts" },
  { type: "account", page: "accounts", one: "Account", many: "Accounts", module: "accounts" },
  { type: "opportunity", page: "opportunities", one: "Deal", many: "Deals", module: "opportunities" },
  { type: "activity", page: "activities", one: "Activity", many: "Activities", module: "activities" },
  { type: "note", page: "notes", one: "Note", many: "Notes", module: "notes" },
];

/** One of the tenant's stages, statuses or types. */
export type Value = components["schemas"]["Value"];

export function kindOf(type: string): Kind | undefined {
  return KINDS.find((kind) => kind.type === type);
}

export function kindOfPage(page: string): Kind | undefined {
  return KINDS.find((kind) => kind.page === page);
}

/** Return the tenant's word for a kind of record, or the desk's. */
export function label(kind: Kind, labels: Record<string, string>, isMany = false): string {
  const own = labels[kind.type];
  if (!own) return isMany ? kind.many : kind.one;
  const word = own.charAt(0).toUpperCase() + own.slice(1);
  return isMany && !word.endsWith("s") ? `${word}s` : word;
}

/** Return the tenant's own name for a record's stage, status or type, where its CRM has one. */
export function ownName(record: Record<string, unknown>, field: string): string | null {
  const own = (record["custom"] as Record<string, unknown> | null | undefined)?.[field];
  return typeof own === "string" && own ? own : null;
}

/** Return which of the tenant's values a record has; undefined if it is none of them. */
export function valueOf(record: CrmRecord, field: string, values: readonly Value[]): Value | undefined {
  const own = ownName(record, field);
  const stored = String(record[field] ?? "");
  return (
    (own && values.find((one) => one.label === own)) ||
    values.find((one) => one.key === stored) ||
    values.find((one) => one.countsAs === stored)
  );
}

/** Return whether a deal is still open. */
export function isOpen(deal: CrmRecord): boolean {
  return !String(deal["stage"]).startsWith("closed");
}

/** Return an attribute in words: `close_date` is "close date". */
export function fieldName(name: string): string {
  return name.replace(/_id$/, "").replace(/_at$/, "").replace(/_/g, " ");
}

/** Return a field's value in words. */
export function fieldValue(record: Record<string, unknown>, name: string): string {
  const value = record[name];
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (/amount|value|revenue/.test(name)) return money(value, record["currency"]);
  if (/(_at|_date)$/.test(name)) return date(value);
  if (name === "probability") return `${String(value)}%`;
  if (name === "owner") return nameOf(String(value));
  if (Array.isArray(value)) return value.map(plain).join(", ") || "—";
  const own = ownName(record, name);
  if (own) return own;
  if (["status", "stage", "source", "health", "priority", "activity_type", "note_type", "type"].includes(name)) {
    return nameOf(String(value));
  }
  return plain(value);
}

function plain(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const named = value as Record<string, unknown>;
  if (typeof named["name"] === "string") return named["name"];
  return Object.values(named)
    .filter((part) => typeof part !== "object" && part !== "")
    .join(", ");
}

/** Return a change as a sentence without its subject: "moved Pilot from Proposal to Negotiation". */
export function describe(change: Change): string {
  const kind = kindOf(change.entity.type)?.one.toLowerCase() ?? change.entity.type;
  const name = change.entity.name;
  if (change.tool === "undo_last") return `took back a change of ${name}`;
  if (change.action === "created") return `created the ${kind} ${name}`;
  if (change.action === "deleted") return `deleted the ${kind} ${name}`;
  const { before, after } = change;
  for (const field of ["stage", "status", "health", "owner"]) {
    if (field in after || ownName(after, field) !== ownName(before, field)) {
      const verb = field === "stage" ? `moved ${name}` : `set the ${field} of ${name}`;
      return `${verb} from ${fieldValue(before, field)} to ${fieldValue(after, field)}`;
    }
  }
  const names = Object.keys(after).filter((field) => !["version", "updated_at", "custom"].includes(field));
  return names.length ? `changed ${names.slice(0, 3).map(fieldName).join(", ")} of ${name}` : `changed ${name}`;
}
