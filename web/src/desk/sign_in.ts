/** Who uses the local server: one of two users, by a token that it gives to whoever asks. */

import { html, type TemplateResult } from "lit";
import { recall, remember } from "../assistant/store.js";
import { nameOf } from "./format.js";
import { say } from "./words.js";

const USERS = ["alice", "bob"];
const USER_KEY = "desk.user";

/** Return the user who was chosen last in this browser. */
export function localUser(): string {
  return recall(USER_KEY) ?? USERS[0]!;
}

/** Return whether the page is served by the local server. */
export function isLocalPage(): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}

/** Return a token of a local user. */
export async function localToken(api: string, user: string): Promise<string> {
  const response = await fetch(`${api}/local/token?user=${encodeURIComponent(user)}&tenant=demo`);
  if (!response.ok) throw new Error("Nobody is signed in. Start the local server with `make run`.");
  return ((await response.json()) as { token: string }).token;
}

/** Return the box in which another local user is chosen. */
export function userBox(user: string): TemplateResult {
  return html`<label class="row">
    <span class="muted user">${say("signed_in_as")}</span>
    <select .value=${user} @change=${(event: Event) => signIn((event.target as HTMLSelectElement).value)}>
      ${USERS.map((one) => html`<option value=${one} ?selected=${one === user}>${nameOf(one)}</option>`)}
    </select>
  </label>`;
}

function signIn(user: string): void {
  remember(USER_KEY, user);
  // A new page: nothing of one user may stay for the other.
  location.reload();
}
