/**
 * The feed of changes: polls what others and the assistant changed, and marks those records for a while. It polls,
 * because a stream would keep a function running, and paid for, as long as a page is open.
 */

import { dataOf, type Api } from "../api/index.js";
import type { Change } from "./records.js";

const VISIBLE_MS = 2500;
const HIDDEN_MS = 30_000;
const MAX_WAIT_MS = 60_000;
const MARK_MS = 12_000;
const MAX_RECENT = 50;

/** Emits `changes` with the new ones, `marks` when a mark ends, `state` when it loses or finds the server. */
export class Feed extends EventTarget {
  /** The latest changes, the newest first. */
  recent: Change[] = [];
  isLost = false;
  private readonly marked = new Map<string, Change>();
  private next: number | null = null;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isPolling = false;
  private isAsked = false;
  private isStopped = true;

  constructor(private readonly api: Api) {
    super();
  }

  start(): void {
    this.isStopped = false;
    document.addEventListener("visibilitychange", this.poke);
    addEventListener("online", this.poke);
    void this.poll();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.poke);
    removeEventListener("online", this.poke);
  }

  /** Poll now: the assistant has just changed something. */
  readonly poke = (): void => {
    // A poll that is under way may have begun before the change.
    if (this.isPolling) this.isAsked = true;
    else if (!this.isStopped) void this.poll();
  };

  /** Return the latest change of a record while it is marked. */
  markOf(id: string): Change | undefined {
    return this.marked.get(id);
  }

  private async poll(): Promise<void> {
    clearTimeout(this.timer);
    this.isPolling = true;
    let isMore = false;
    try {
      const query = this.next === null ? {} : { since: this.next };
      const page = await dataOf(this.api.rest.GET("/api/crm/changes", { params: { query } }));
      const isFirst = this.next === null;
      this.next = page.next;
      isMore = page.hasMore;
      this.recent = [...page.items.toReversed(), ...this.recent].slice(0, MAX_RECENT);
      this.setLost(0);
      if (!isFirst && page.items.length) this.publish(page.items);
      else if (isFirst) this.dispatchEvent(new CustomEvent("changes", { detail: [] }));
    } catch {
      this.setLost(this.failures + 1);
    }
    this.isPolling = false;
    if (this.isStopped) return;
    const isNow = isMore || this.isAsked;
    this.isAsked = false;
    this.timer = setTimeout(() => void this.poll(), isNow ? 0 : this.waitMs());
  }

  private publish(changes: Change[]): void {
    for (const change of changes) {
      this.marked.set(change.entity.id, change);
      setTimeout(() => {
        if (this.marked.get(change.entity.id) !== change) return;
        this.marked.delete(change.entity.id);
        this.dispatchEvent(new Event("marks"));
      }, MARK_MS);
    }
    this.dispatchEvent(new CustomEvent("changes", { detail: changes }));
  }

  private setLost(failures: number): void {
    this.failures = failures;
    // One failed poll is no news.
    const isLost = failures > 1;
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    this.dispatchEvent(new Event("state"));
  }

  private waitMs(): number {
    const usual = document.hidden ? HIDDEN_MS : VISIBLE_MS;
    return Math.min(usual * 2 ** Math.min(this.failures, 5), Math.max(MAX_WAIT_MS, usual));
  }
}
