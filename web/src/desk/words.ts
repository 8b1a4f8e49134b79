/**
 * The desk's texts in the user's language, from JSON catalogues with the same keys.
 *
 * The page has one language, which stays until it is loaded again.
 */

import { recall, remember } from "../assistant/store.js";
import { loadWords, Words } from "../assistant/words.js";
import en from "./locales/en.json";

export type Text = keyof typeof en & string;

const KEY = "desk.locale";
const OTHERS = {
  de: () => import("./locales/de.json"),
  es: () => import("./locales/es.json"),
  fr: () => import("./locales/fr.json"),
};
/** The languages by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", fr: "Français" };

let words = new Words<Text>(navigator.language, "en", en, en);

/** Load the texts of the language that the user has chosen, or of the browser's. */
export async function loadTexts(): Promise<void> {
  words = await loadWords<Text>(chosenLanguage() || navigator.language, OTHERS, en);
  document.documentElement.lang = words.language;
  document.documentElement.dir = words.direction;
}

/** Return the language that the user has chosen; empty for the browser's. */
export function chosenLanguage(): string {
  return recall(KEY) ?? "";
}

/** Choose a language, or the browser's by an empty one. The page is loaded again with it. */
export function chooseLanguage(language: string): void {
  remember(KEY, language || null);
  location.reload();
}

/** Return a text with its `{names}` replaced. */
export function say(key: Text, values: Record<string, string | number> = {}): string {
  return words.say(key, values);
}

/** Return the text of `stem` + `name`, or `fallback` for a name that the catalogue does not have. */
export function named(stem: string, name: string, fallback: string): string {
  return words.named(stem, name, fallback);
}

/** Return the locale of dates and numbers, such as `de-AT`. */
export function locale(): string {
  return words.locale;
}

/** Return the direction in which the page is read. */
export function direction(): "ltr" | "rtl" {
  return words.direction;
}
