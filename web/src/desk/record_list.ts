/** A list of records that stays current: loads pages by filters, and applies what the feed brings. */

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { dataOf } from "../api/index.js";
import { wordsOf, type Desk } from "./desk.js";
import type { Change, CrmRecord, RecordType } from "./records.js";

const PAGE = 50;
const MAX_PAGES = 20;

export interface Filters {
  name_contains?: string;
  status?: string;
  owner?: string;
  related_id?: string;
}

export class RecordList implements ReactiveController {
  items: CrmRecord[] = [];
  total: number | null = null;
  next: string | null = null;
  isLoading = true;
  error = "";
  private filters: Filters = {};
  private attempt = 0;

  /** With `isWhole` all pages are read, up to a thousand records. */
  constructor(
    private readonly host: ReactiveControllerHost & { desk: Desk },
    readonly type: RecordType,
    private readonly isWhole = false,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.desk?.feed.addEventListener("changes", this.apply);
    this.host.desk?.feed.addEventListener("marks", this.redraw);
  }

  hostDisconnected(): void {
    this.host.desk?.feed.removeEventListener("changes", this.apply);
    this.host.desk?.feed.removeEventListener("marks", this.redraw);
  }

  /** Load the first page of what the filters find. A later load replaces one that is under way. */
  async load(filters: Filters = {}): Promise<void> {
    this.hostConnected();
    this.filters = filters;
    const attempt = (this.attempt += 1);
    this.isLoading = true;
    this.error = "";
    this.host.requestUpdate();
    try {
      let items: CrmRecord[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < (this.isWhole ? MAX_PAGES : 1); pages += 1) {
        const page: { items: CrmRecord[]; total: number | null; next_cursor: string | null } = await this.page(cursor);
        if (attempt !== this.attempt) return;
        items = [...items, ...page.items];
        [this.total, cursor] = [page.total, page.next_cursor];
        if (!cursor) break;
      }
      [this.items, this.next] = [items, cursor];
    } catch (error) {
      if (attempt !== this.attempt) return;
      this.error = wordsOf(error);
    }
    this.isLoading = false;
    this.host.requestUpdate();
  }

  async more(): Promise<void> {
    const attempt = this.attempt;
    if (!this.next || this.isLoading) return;
    this.isLoading = true;
    this.host.requestUpdate();
    try {
      const page = await this.page(this.next);
      if (attempt !== this.attempt) return;
      const known = new Set(this.items.map((item) => item.id));
      this.items = [...this.items, ...page.items.filter((item) => !known.has(item.id))];
      this.next = page.next_cursor;
    } catch (error) {
      this.host.desk.tell(wordsOf(error), true);
    }
    this.isLoading = false;
    this.host.requestUpdate();
  }

  private async page(
    cursor: string | null,
  ): Promise<{ items: CrmRecord[]; total: number | null; next_cursor: string | null }> {
    const query = { ...this.filters, limit: PAGE, ...(cursor ? { cursor } : {}) };
    const page = await dataOf(
      this.host.desk.api.rest.GET("/api/crm/{type}", { params: { path: { type: this.type }, query } }),
    );
    return page as { items: CrmRecord[]; total: number | null; next_cursor: string | null };
  }

  private readonly redraw = (): void => this.host.requestUpdate();

  private readonly apply = (event: Event): void => {
    const own = (event as CustomEvent<Change[]>).detail.filter((change) => change.entity.type === this.type);
    if (!own.length) return;
    // Whether a changed record fits a filter is the server's to say.
    if (Object.values(this.filters).some(Boolean)) {
      void this.load(this.filters);
      return;
    }
    for (const change of own) this.take(change);
    this.host.requestUpdate();
  };

  private take(change: Change): void {
    const place = this.items.findIndex((item) => item.id === change.entity.id);
    const record = change.record as CrmRecord | null | undefined;
    if (!record) {
      if (place >= 0) this.total = this.total === null ? null : this.total - 1;
      this.items = this.items.filter((item) => item.id !== change.entity.id);
    } else if (place >= 0) {
      this.items = this.items.with(place, record);
    } else if (change.action === "created" || change.tool === "undo_last") {
      this.items = [record, ...this.items];
      this.total = this.total === null ? null : this.total + 1;
    }
  }
}
