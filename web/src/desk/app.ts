/** The desk's frame: navigation, the open page, and the assistant at its side. */

import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { createApi, dataOf, type Api, type TokenSource } from "../api/index.js";
import type { AishaAssistant, NavigateDetail } from "../assistant/assistant.js";
import { element } from "../assistant/element.js";
import { recall, remember } from "../assistant/store.js";
import { base, tokens } from "../assistant/theme.js";
import "./bell.js";
import "./changes.js";
import { wordsOf, type Desk, type Profile } from "./desk.js";
import { Feed } from "./feed.js";
import { pageName, pageOf, pathOf } from "./pages.js";
import { kindOfPage, KINDS, label } from "./records.js";
import { isLocalPage, localToken, localUser, userBox } from "./sign_in.js";
import { failed, skeleton, ui } from "./ui.js";
import { direction, loadTexts, locale, say } from "./words.js";

/** Where the panel would cover the page, it begins minimised. */
const NARROW = matchMedia("(max-width: 1100px)");
const isNarrow = (): boolean => NARROW.matches;
const TOLD_MS = 6000;
const THEME_KEY = "desk.theme";
@element("aisha-desk")
export class AishaDesk extends LitElement {
  static override styles = [
    tokens,
    base,
    ui,
    css`
      :host {
        display: grid;
        grid-template: auto minmax(0, 1fr) / 208px minmax(0, 1fr) auto;
        block-size: 100dvh;
        overflow: hidden;
        background: var(--aisha-bg);
        font-family: var(--aisha-font);
        line-height: 1.45;
      }

      .skip {
        position: absolute;
        inset-inline-start: var(--aisha-2);
        inset-block-start: -60px;
        z-index: 10;
        background: var(--aisha-raised);
        padding: var(--aisha-3);
      }

      .skip:focus {
        inset-block-start: var(--aisha-2);
      }

      .top {
        grid-area: 1 / 1 / 2 / 3;
        display: flex;
        align-items: center;
        gap: var(--aisha-3);
        padding: var(--aisha-2) var(--aisha-4);
        border-block-end: 1px solid var(--aisha-line);
      }

      .top strong {
        font-size: var(--aisha-text-m);
        white-space: nowrap;
      }

      .top .end {
        margin-inline-start: auto;
      }

      nav.pages {
        grid-area: 2 / 1;
        display: flex;
        flex-direction: column;
        gap: 2px;
        padding: var(--aisha-3) var(--aisha-2);
        border-inline-end: 1px solid var(--aisha-line);
        overflow-y: auto;
      }

      nav.pages a {
        padding: 9px 12px;
        border-radius: var(--aisha-radius-s);
        color: var(--aisha-muted);
        font-weight: 600;
        text-decoration: none;
        white-space: nowrap;
      }

      nav.pages a:hover {
        background: var(--aisha-hover);
        color: var(--aisha-ink);
      }

      nav.pages a[aria-current="page"] {
        background: var(--aisha-accent-soft);
        color: var(--aisha-accent);
      }

      nav.pages hr {
        inline-size: 100%;
        border: 0;
        border-block-start: 1px solid var(--aisha-line);
      }

      main {
        grid-area: 2 / 2;
        overflow-y: auto;
        padding: var(--aisha-5);
        min-inline-size: 0;
      }

      /* Its panel is fixed at the page's end: the column keeps that room free. */
      aisha-assistant {
        grid-area: 1 / 3 / 3 / 4;
        inline-size: 400px;
      }

      aisha-assistant::part(panel) {
        box-shadow: none;
      }

      aisha-assistant[minimised] {
        inline-size: 0;
      }

      .told {
        position: fixed;
        inset-block-start: var(--aisha-4);
        inset-inline: 0;
        inline-size: fit-content;
        margin-inline: auto;
        z-index: 6;
        max-inline-size: min(520px, calc(100vw - 32px));
        padding: var(--aisha-3) var(--aisha-4);
        background: var(--aisha-raised);
        border: 1px solid var(--aisha-line-strong);
        border-radius: var(--aisha-radius);
        box-shadow: var(--aisha-shadow);
      }

      @media (max-width: 600px) {
        .user {
          position: absolute;
          inline-size: 1px;
          block-size: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
      }

      .lost {
        color: var(--aisha-warn);
      }

      @media (max-width: 1100px) {
        :host {
          grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr);
        }

        .top {
          grid-area: 1 / 1;
        }

        main {
          grid-area: 3 / 1;
        }

        nav.pages {
          grid-area: 2 / 1;
          flex-direction: row;
          padding: var(--aisha-1) var(--aisha-2);
          border-inline-end: 0;
          border-block-end: 1px solid var(--aisha-line);
          overflow-x: auto;
        }

        nav.pages hr {
          display: none;
        }

        main {
          padding: var(--aisha-4);
          padding-block-end: 96px;
        }

        .top {
          gap: var(--aisha-2);
        }

        aisha-assistant {
          grid-area: 3 / 1;
          inline-size: 0;
          block-size: 0;
        }
      }
    `,
  ];

  /** The API's address; empty for the page's own origin. */
  @property() api = "";
  /** Returns a bearer token; by default one of the local server. */
  @property({ attribute: false }) token: TokenSource | null = null;
  @state() private desk: Desk | null = null;
  @state() private error = "";
  @state() private path = "";
  private readonly user = localUser();
  @state() private theme = recall(THEME_KEY) ?? "midnight";
  @state() private told: { text: string; isError: boolean } | null = null;
  @query("aisha-assistant") private assistant!: AishaAssistant | null;
  @query("main") private main!: HTMLElement | null;
  private client: Api | undefined;
  private readonly texts = loadTexts();
  private timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.follow);
    this.follow();
    void this.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.follow);
    this.desk?.feed.stop();
  }

  /** The first drawing waits for the texts. */
  protected override async scheduleUpdate(): Promise<void> {
    await this.texts;
    super.scheduleUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("theme")) this.dataset["theme"] = this.theme;
    this.dir = direction();
    document.title = `${pageName(this.path, this.desk?.profile.labels ?? {})} · ${this.deskName}`;
  }

  /** Where the links of the pages stand in a row, show the open page's. */
  protected override updated(changed: PropertyValues): void {
    if (!isNarrow() || !(changed.has("path") || changed.has("desk"))) return;
    this.renderRoot.querySelector("nav.pages [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  protected override render(): TemplateResult {
    return html`${this.told ? html`<p class="told ${this.told.isError ? "error" : ""}" role="alert">${this.told.text}</p>` : nothing}
      <header class="top">
        <a class="skip" href="#/${this.path}" @click=${this.skip}>${say("skip")}</a>
        <strong>${this.deskName}</strong>
        ${this.desk?.feed.isLost ? html`<span class="lost" role="status">${say("lost")}</span>` : nothing}
        <span class="end"></span>
        ${this.desk ? html`<desk-bell .desk=${this.desk}></desk-bell>` : nothing}
        ${this.isLocal ? userBox(this.user) : nothing}
        <button class="button" @click=${() => this.setTheme(this.theme === "light" ? "midnight" : "light")}>
          ${say(this.theme === "light" ? "theme_dark" : "theme_light")}
        </button>
      </header>
      ${this.navigation()}
      <main id="content" tabindex="-1">
        ${this.error ? failed(this.error, () => this.start()) : this.desk ? pageOf(this.desk, this.path, this.theme) : skeleton()}
      </main>
      ${this.side()} ${this.desk ? html`<desk-changes .desk=${this.desk}></desk-changes>` : nothing}`;
  }

  private side(): TemplateResult {
    const [page = "", id = ""] = this.path.split("/");
    const kind = id ? kindOfPage(page) : undefined;
    return html`<aisha-assistant
      .token=${this.source}
      api=${this.api}
      locale=${locale()}
      theme=${this.theme}
      name=${this.desk?.profile.assistantName ?? ""}
      ?minimised=${isNarrow()}
      page=${page || "dashboard"}
      record-type=${kind?.type ?? ""}
      record-id=${kind ? id : ""}
      @recordchanged=${() => this.desk?.feed.poke()}
      @navigate=${this.navigate}
    ></aisha-assistant>`;
  }

  private navigation(): TemplateResult {
    const profile = this.desk?.profile;
    const [open = ""] = this.path.split("/");
    const link = (path: string, text: string): TemplateResult => {
      const isOpen = path === open || (path === "activities" && open === "calendar");
      return html`<a href="#/${path}" aria-current=${isOpen ? "page" : nothing}>${text}</a>`;
    };
    return html`<nav class="pages" aria-label=${say("pages")}>
      ${link("", say("overview"))}
      ${KINDS.filter((kind) => profile?.modules.includes(kind.module)).map((kind) =>
        link(kind.page, label(kind, profile?.labels ?? {}, true)),
      )}
      <hr />
      ${link("settings", say("settings"))} ${profile?.isAdmin ? link("console", say("console")) : nothing}
    </nav>`;
  }

  private get deskName(): string {
    return say("desk_name", { name: this.desk?.profile.assistantName ?? "AiSHA" });
  }

  private get isLocal(): boolean {
    return this.token === null && isLocalPage();
  }

  private readonly source: TokenSource = (isRenewal) =>
    this.token ? this.token(isRenewal) : localToken(this.api, this.user);

  private async start(): Promise<void> {
    this.error = "";
    this.client ??= createApi({ api: this.api, token: this.source, door: "widget" });
    const api = this.client;
    let profile: Profile;
    try {
      profile = await dataOf(api.rest.GET("/api/ai/profile"));
    } catch (error) {
      this.error = wordsOf(error);
      return;
    }
    const feed = new Feed(api);
    feed.addEventListener("state", () => this.requestUpdate());
    const tell: Desk["tell"] = (text, isError = false) => this.tell(text, isError);
    this.desk = {
      api,
      feed,
      profile,
      tell,
      ask: (text) => this.assistant?.ask(text),
      takenBack: (ids) => this.assistant?.takenBack(ids),
      go: (path) => this.go(path),
    };
    feed.start();
  }

  private readonly follow = (): void => {
    const path = decoded(location.hash.replace(/^#\/?/, ""));
    if (path === this.path) return;
    this.path = path;
    this.main?.scrollTo(0, 0);
  };

  private go(path: string): void {
    location.hash = `#/${path}`;
  }

  private readonly navigate = (event: CustomEvent<NavigateDetail>): void => {
    const path = pathOf(event.detail);
    if (path !== null) this.go(path);
  };

  private skip(event: Event): void {
    event.preventDefault();
    this.main?.focus();
  }

  private setTheme(theme: string): void {
    this.theme = theme;
    remember(THEME_KEY, theme);
  }

  private tell(text: string, isError: boolean): void {
    this.told = { text, isError };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.told = null), TOLD_MS);
  }
}

/** Return a part of an address without its escapes; as it is where they make no text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
