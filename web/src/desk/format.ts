/** Dates, amounts and codes in the words of the user's locale. */

import { locale } from "./words.js";

const DAY_MS = 86_400_000;

/** Return an amount with its currency. The API sends decimals as text. */
export function money(value: unknown, currency: unknown = "USD", isShort = false): string {
  const amount = Number(value);
  if (!Number.isFinite(amount)) return "—";
  try {
    return new Intl.NumberFormat(locale(), {
      style: "currency",
      currency: String(currency || "USD"),
      maximumFractionDigits: isShort ? 1 : amount % 1 ? 2 : 0,
      notation: isShort ? "compact" : "standard",
    }).format(amount);
  } catch {
    return `${number(amount)} ${String(currency)}`;
  }
}

/** Return a model's cost, which may be far less than a cent. */
export function cost(usd: number): string {
  const digits = usd === 0 || usd >= 0.1 ? 2 : 5;
  return new Intl.NumberFormat(locale(), { style: "currency", currency: "USD", maximumFractionDigits: digits }).format(
    usd,
  );
}

export function number(value: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value);
}

/** Return a share of one in percent. */
export function percent(share: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 1 }).format(share);
}

/** Return the local day of a date or an instant; a date without a time is that day everywhere. */
export function dayOf(value: unknown): Date | null {
  const text = String(value ?? "");
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const day = new Date(isDay ? `${text}T00:00` : text);
  return Number.isNaN(day.getTime()) ? null : day;
}

export function date(value: unknown): string {
  const day = dayOf(value);
  if (!day) return "—";
  const isThisYear = day.getFullYear() === new Date().getFullYear();
  return day.toLocaleDateString(locale(), {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
}

export function time(value: unknown): string {
  const day = dayOf(value);
  return day ? day.toLocaleTimeString(locale(), { hour: "numeric", minute: "2-digit" }) : "";
}

export function moment(value: unknown): string {
  return `${date(value)}, ${time(value)}`;
}

/** Return the whole days from today to a day; negative for one that is past. */
export function daysUntil(day: Date): number {
  const midnight = (one: Date): number => new Date(one.getFullYear(), one.getMonth(), one.getDate()).getTime();
  return Math.round((midnight(day) - midnight(new Date())) / DAY_MS);
}

export function relative(value: unknown): string {
  const day = dayOf(value);
  if (!day) return "—";
  const days = daysUntil(day);
  if (Math.abs(days) > 13) return date(value);
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(days, "day");
}

/** Return a code in words: `closed_won` is "Closed won". */
export function nameOf(code: string): string {
  const words = code.replace(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function milliseconds(value: number): string {
  return value >= 1000 ? `${number(value / 1000)} s` : `${Math.round(value)} ms`;
}
