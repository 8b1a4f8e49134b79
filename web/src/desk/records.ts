/** Records of the CRM as the API gives them, and their words on the page. */

import type { components } from "../api/index.js";
import { date, money, nameOf } from "./format.js";
import { locale, named, say } from "./words.js";

const MAX_FIELDS = 3;

export type RecordType = "lead" | "contact" | "account" | "opportunity" | "activity" | "note" | "goal";
export type CrmRecord = components["schemas"]["Record"] & Record<string, unknown>;
export type Change = components["schemas"]["Change"];

export interface Kind {
  type: RecordType;
  /** The path and the page's name. */
  page: string;
  /** The permission that shows it. */
  module: string;
}

export const KINDS: readonly Kind[] = [
  { type: "lead", page: "leads", module: "leads" },
  { type: "contact", page: "contacts", module: "contacts" },
  { type: "account", page: "accounts", module: "accounts" },
  { type: "opportunity", page: "opportunities", module: "opportunities" },
  { type: "activity", page: "activities", module: "activities" },
  { type: "note", page: "notes", module: "notes" },
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
  if (!own) return say(isMany ? `kinds_${kind.type}` : `kind_${kind.type}`);
  const word = own.charAt(0).toUpperCase() + own.slice(1);
  return isMany && !word.endsWith("s") ? `${word}s` : word;
}

/** Return the tenant's own name for a record's stage, status or type, where its CRM has one. */
export function ownName(record: Record<string, unknown>, field: string): string | null {
  const own = (record["custom"] as Record<string, unknown> | null | undefined)?.[field];
  return typeof own === "string" && own ? own : null;
}

/** Return the names of the team's own fields that a record has a value for. */
export function ownFields(record: Record<string, unknown>): string[] {
  const own = Object.entries((record["custom"] ?? {}) as Record<string, unknown>);
  // Of the other fields `custom` has the team's own names of their values.
  return own.filter(([name, value]) => !(name in record) && value !== null && value !== "").map(([name]) => name);
}

/** Return the value of one of the team's own fields in words. */
export function ownValue(record: Record<string, unknown>, name: string): string {
  const value = ((record["custom"] ?? {}) as Record<string, unknown>)[name] ?? "";
  return typeof value === "boolean" ? say(value ? "yes" : "no") : plain(value);
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

/** Return an attribute in words: `close_date` is "Close date". */
export function fieldName(name: string): string {
  return named("field_", name, nameOf(name.replace(/_id$/, "").replace(/_at$/, "")));
}

/** Return a stage, status or type in words: `closed_won` is "Closed won". */
export function valueName(code: string): string {
  return named("value_", code, nameOf(code));
}

/** Return the name of a module, a toolkit or what the assistant depends on. */
export function partName(code: string): string {
  const type = KINDS.find((kind) => kind.module === code)?.type ?? code.replace(/s$/, "");
  return named("kinds_", type, named("part_", code, valueName(code)));
}

/** Return the name of the way by which a message came, such as `widget`. */
export function doorName(door: string): string {
  return named("door_", door, door);
}

/** Return what one of the tenant's values is called: as the tenant calls it, unless that is its usual name. */
export function valueLabel(value: Value): string {
  return value.label === nameOf(value.key) ? valueName(value.key) : value.label;
}

/** Return a field's value in words. */
export function fieldValue(record: Record<string, unknown>, name: string): string {
  const value = record[name];
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (/amount|value|revenue/.test(name)) return money(value, record["currency"]);
  if (/(_at|_date)$/.test(name)) return date(value);
  if (name === "probability") return `${String(value)}%`;
  if (name === "owner") return nameOf(String(value));
  if (Array.isArray(value)) return value.map(plain).join(", ") || "—";
  const own = ownName(record, name);
  if (own) return own;
  if (["status", "stage", "source", "health", "priority", "activity_type", "note_type", "type"].includes(name)) {
    return valueName(String(value));
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

/** Return a change as a sentence: "You moved Pilot from Proposal to Negotiation". */
export function describe(change: Change): string {
  const kind = uncapitalised(named("kind_", change.entity.type, change.entity.type));
  const values = { who: change.user, kind, name: change.entity.name };
  const whose = change.isOwn ? "own" : "other";
  if (change.tool === "undo_last") return say(`${whose}_undone`, values);
  if (change.action !== "updated") return say(`${whose}_${change.action}`, values);
  const { before, after } = change;
  for (const field of ["stage", "status", "health", "owner"]) {
    if (field in after || ownName(after, field) !== ownName(before, field)) {
      const turned = { before: fieldValue(before, field), after: fieldValue(after, field) };
      if (field === "stage") return say(`${whose}_moved`, { ...values, ...turned });
      return say(`${whose}_set`, { ...values, ...turned, field: uncapitalised(fieldName(field)) });
    }
  }
  const own = ownFields({ ...after, ...before, custom: after["custom"] });
  const names = [
    ...Object.keys(after).filter((field) => !["version", "updated_at", "custom"].includes(field)),
    ...own.filter((field) => ownValue(after, field) !== ownValue(before, field)),
  ];
  if (!names.length) return say(`${whose}_updated`, values);
  return say(`${whose}_changed`, {
    ...values,
    fields: names
      .slice(0, MAX_FIELDS)
      .map((one) => uncapitalised(fieldName(one)))
      .join(", "),
  });
}

/** Return who changed a marked record and how, as a remark: "created by you". */
export function remark(change: Change): string {
  return say(`mark_${change.action}`, { who: change.isOwn ? say("you") : change.user });
}

/** Return a noun as it stands within a sentence: German keeps its capital. */
export function uncapitalised(noun: string): string {
  return locale().startsWith("de") ? noun : noun.toLocaleLowerCase(locale());
}
