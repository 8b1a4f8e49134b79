/** A tool's arguments in words: each value with its name, and records by their names instead of ids. */

import { html, type TemplateResult } from "lit";
import { readable, type Words } from "./words.js";

export interface RecordRef {
  type: string;
  id: string;
  name: string;
}

/** The names of records by id. */
export type Names = ReadonlyMap<string, RecordRef>;

const RECORD_ID = /^(lead|contact|account|opportunity|activity|note|document)_[A-Za-z0-9]+$/;
const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

/** Return the names of records for `argumentList`. */
export function namesOf(...lists: readonly (readonly RecordRef[])[]): Names {
  return new Map(lists.flat().map((record) => [record.id, record]));
}

/** Return a list of all arguments, or a line that there are none. */
export function argumentList(values: Record<string, unknown>, names: Names, words: Words): TemplateResult {
  // The type beside an id says nothing that the record's name does not.
  const entries = Object.entries(values).filter(
    ([name]) => !(name.endsWith("_type") && names.has(String(values[name.replace(/_type$/, "_id")]))),
  );
  if (!entries.length) return html`<p class="none">${words.say("no_arguments")}</p>`;
  return html`<dl class="arguments">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${labelOf(name, value, names, words)}</dt>
          <dd dir="auto">${valueOf(value, names, words)}</dd>
        </div>`,
    )}
  </dl>`;
}

function labelOf(name: string, value: unknown, names: Names, words: Words): string {
  const record = typeof value === "string" ? names.get(value) : undefined;
  if (record && /(^|_)(entity|record)?_?id$/.test(name)) return capital(words.named("type_", record.type, record.type));
  return readable(name.replace(/_ids?$/, ""));
}

function valueOf(value: unknown, names: Names, words: Words): unknown {
  if (value === null || value === undefined || value === "") return html`<em>${words.say("nothing")}</em>`;
  if (typeof value === "boolean") return words.say(value ? "yes" : "no");
  if (typeof value === "number") return words.number(value, { maximumFractionDigits: 6 });
  if (typeof value === "string") return textOf(value, names, words);
  if (Array.isArray(value)) {
    if (!value.length) return html`<em>${words.say("nothing")}</em>`;
    return html`<ul>
      ${value.map((item) => html`<li>${valueOf(item, names, words)}</li>`)}
    </ul>`;
  }
  return argumentList(value as Record<string, unknown>, names, words);
}

function textOf(value: string, names: Names, words: Words): string {
  const record = names.get(value);
  if (record) return record.name;
  if (RECORD_ID.test(value)) return `${words.named("type_", value.split("_")[0]!, "")} …${value.slice(-6)}`;
  const date = ISO_MOMENT.test(value) ? new Date(value) : ISO_DAY.test(value) ? new Date(`${value}T12:00`) : null;
  if (!date || Number.isNaN(date.getTime())) return value;
  const style = { weekday: "short", day: "numeric", month: "long", year: "numeric" } as const;
  const day = date.toLocaleDateString(words.locale, style);
  return ISO_DAY.test(value) ? day : `${day}, ${words.time(date)}`;
}

/** Return a text with a capital letter at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
