/** The texts of the element in the user's language, from JSON catalogues with the same keys. */

import en from "./locales/en.json";
import type views from "./locales/en.views.json";

export type Key = keyof (typeof en & typeof views) & string;
type Stem<K> = K extends `${infer S}_other` ? S : never;
type Values = Record<string, string | number>;
type Catalogue = Record<string, string>;
type Catalogues = Record<string, () => Promise<{ default: Catalogue }>>;

/** The other languages are files beside the element's, loaded when one is needed. */
const OTHERS: Catalogues = {
  de: () => import("./locales/de.json"),
  es: () => import("./locales/es.json"),
  fr: () => import("./locales/fr.json"),
};
/** The English texts; those of what is loaded on demand come with it. */
const english: Catalogue = { ...en };
const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"]);

/** Add the English texts of what was loaded on demand. The other languages' files have all of theirs. */
export function addEnglish(texts: Catalogue): void {
  Object.assign(english, texts);
}

/** The words of one language. Dates and numbers follow the whole locale, such as `de-AT`. */
export class Words<K extends string = Key> {
  private readonly plurals: Intl.PluralRules;

  constructor(
    /** The locale, such as `de-AT`. */
    readonly locale: string,
    /** The language of the texts, for the attribute `lang`. */
    readonly language = "en",
    private readonly catalogue: Catalogue = english,
    /** The English texts, for what the catalogue does not have. */
    private readonly fallback: Catalogue = english,
  ) {
    this.plurals = new Intl.PluralRules(language);
  }

  get direction(): "ltr" | "rtl" {
    return RIGHT_TO_LEFT.has(this.locale.split("-")[0]!.toLowerCase()) ? "rtl" : "ltr";
  }

  /** Return a text with its `{names}` replaced. */
  say(key: K, values: Values = {}): string {
    return fill(this.catalogue[key] ?? this.fallback[key]!, values);
  }

  /** Return a text to send, in English for an API that understands no other language. */
  sentence(key: K, isEnglish: boolean, values: Values = {}): string {
    return isEnglish ? fill(this.fallback[key]!, values) : this.say(key, values);
  }

  /** Return the form of a text for `count`, which replaces `{count}`. */
  count(stem: Stem<K>, count: number, values: Values = {}): string {
    const form = `${stem}_${this.plurals.select(count)}`;
    const text = this.catalogue[form] ?? this.catalogue[`${stem}_other`] ?? "";
    return fill(text, { ...values, count: this.number(count) });
  }

  /** Return the text of `stem` + `name`, or `fallback` for a name that the catalogue does not have. */
  named(stem: string, name: string, fallback: string): string {
    return this.catalogue[`${stem}${name}`] ?? fallback;
  }

  number(value: number, options?: Intl.NumberFormatOptions): string {
    return value.toLocaleString(this.locale, options);
  }

  time(date: Date): string {
    return date.toLocaleTimeString(this.locale, { hour: "numeric", minute: "2-digit" });
  }

  /** Return the day and the time; only the time for today. */
  moment(date: Date, now = new Date()): string {
    if (date.toDateString() === now.toDateString()) return this.time(date);
    const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
    const day = date.toLocaleDateString(this.locale, { day: "numeric", month: "short", year });
    return `${day}, ${this.time(date)}`;
  }

  /** Return a duration, such as "0.4 s". */
  seconds(ms: number): string {
    const digits = ms < 9950 ? 1 : 0;
    if (ms < 50) return `< ${this.seconds(100)}`;
    return `${this.number(ms / 1000, { minimumFractionDigits: digits, maximumFractionDigits: digits })} s`;
  }
}

/** Return words for a locale. Texts are English where there is no catalogue, or where it can't be loaded. */
export async function loadWords<K extends string = Key>(
  locale: string,
  others: Catalogues = OTHERS,
  texts: Catalogue = english,
): Promise<Words<K>> {
  let known = "en";
  try {
    known = Intl.getCanonicalLocales(locale)[0] ?? "en";
  } catch {
    // The browser does not know such a locale.
  }
  const language = known.slice(0, 2);
  try {
    const loaded = await others[language]?.();
    if (loaded) return new Words(known, language, loaded.default, texts);
  } catch {
    // The file is missing or was refused.
  }
  return new Words(known, "en", texts, texts);
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Return a program's name as words: `estimated_value` and `estimatedValue` become "Estimated value". */
export function readable(name: string): string {
  const spaced = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
