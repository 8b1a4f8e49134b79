/** What the browser remembers over a reload: no token and no text. Pages without storage remember nothing. */

const PREFIX = "aisha.";

/** Return the stored value of a name, or null. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Store a value; null removes it. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // A page without storage begins anew after a reload.
  }
}
