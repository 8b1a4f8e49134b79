/** `<aisha-assistant>`: the assistant beside or in any CRM page. docs/embedding.md has its attributes and events. */

import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { property, query, state } from "lit/decorators.js";
import { ApiError, createApi, type Api, type Confirmation, type TokenSource } from "../api/index.js";
import { element } from "./element.js";
import type { Actions } from "./actions.js";
import { announcementOf } from "./announcement.js";
import { rated, readAloud, recordCommand } from "./commands.js";
import "./composer.js";
import type { AishaComposer } from "./composer.js";
import { Conversation, type Host } from "./conversation.js";
import "./conversation_view.js";
import { Deployment } from "./deployment.js";
import { errorText } from "./error_text.js";
import { focusBox } from "./focus.js";
import "./header.js";
import type { PanelState, View } from "./header.js";
import { icon } from "./icons.js";
import "./launcher.js";
import type { Message, RecordChange } from "./message.js";
import { Network } from "./network.js";
import "./notice.js";
import type { AssistantElement, ClientSection, NavigateDetail, NeededData, PageData } from "./public.js";
import { keepPreferences, recallPreferences, type Preferences, type Theme } from "./preferences.js";
import { requestOf } from "./request.js";
import { SpeechControl } from "./speech_control.js";
import { recall, remember } from "./store.js";
import { Tabs } from "./tabs.js";
import { base, tokens } from "./theme.js";
import type { Navigation } from "./turn.js";
import type { CallEnded } from "./voice.js";
import { pressQuick } from "./welcome.js";
import { loadWords, readable, Words } from "./words.js";

export type { NavigateDetail };

@element("aisha-assistant")
export class AishaAssistant extends LitElement implements AssistantElement {
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };
  static override styles = [
    tokens,
    base,
    css`
      :host {
        display: block;
        font-family: var(--aisha-font);
        font-size: var(--aisha-text-m);
        line-height: 1.5;
        color: var(--aisha-ink);
        text-align: start;
        -webkit-text-size-adjust: 100%;
      }

      .panel {
        display: grid;
        grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
        background: var(--aisha-bg);
        block-size: 100%;
        overflow: hidden;
      }

      :host([layout="fill"]) {
        block-size: 100%;
        min-block-size: 0;
      }

      :host(:not([layout="fill"])) .panel {
        position: fixed;
        z-index: 2147483000;
        inset-block: 0;
        inset-inline-end: 0;
        inline-size: min(400px, 100vw);
        block-size: 100dvh;
        border-inline-start: 1px solid var(--aisha-line);
        box-shadow: var(--aisha-shadow);
      }

      @media (max-width: 600px) {
        :host(:not([layout="fill"])) .panel {
          inline-size: 100vw;
          border: 0;
        }
      }

      .banner {
        margin: 0;
        display: flex;
        align-items: center;
        gap: var(--aisha-2);
        padding: var(--aisha-2) var(--aisha-4);
        font-size: var(--aisha-text-s);
        color: var(--aisha-warn);
        background: var(--aisha-warn-soft);
      }

      .body {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        min-block-size: 0;
        min-inline-size: 0;
      }
    `,
  ];

  /** The API's address; empty for the page's own origin. */
  @property() api = "";
  @property({ reflect: true }) theme: Theme = "midnight";
  /** `sidebar` stands at the page's side and can be minimised; `fill` takes the room that its parent gives. */
  @property({ reflect: true }) layout: "sidebar" | "fill" = "sidebar";
  /** A BCP 47 locale; default: the page's language, then the browser's. */
  @property() locale = "";
  /** The assistant's name; default: as the tenant calls it. */
  @property() name = "";
  @property({ attribute: "record-type" }) recordType = "";
  @property({ attribute: "record-id" }) recordId = "";
  /** The name of the page that is open. */
  @property() page = "";
  @property({ type: Boolean, reflect: true }) minimised = false;

  /** Return a bearer token; called with `true` when the API refused the last one. Never stored. */
  @property({ attribute: false }) token: TokenSource | null = null;
  /** The data that the page could give, by id; without it the assistant asks for none. */
  @property({ attribute: false }) clientSections: ClientSection[] = [];
  /** Return the data that the assistant asks for, or null if the page has none. */
  @property({ attribute: false }) provideData: ((needs: NeededData) => Promise<PageData | null>) | null = null;

  @state() private view: View = "chat";
  @state() private isUnread = false;
  @state() private announced = "";
  @state() private isCalling = false;
  @state() private viewsError: ApiError | null = null;
  /** The key of the message that is being changed. */
  @state() private editing: string | null = null;
  @state() private preferences = recallPreferences();
  @query("aisha-composer") private composer!: AishaComposer | null;

  private client!: Api;
  private conversation!: Conversation;
  private words = new Words("en");
  private wordsOf = "";
  private isDark = matchMedia("(prefers-color-scheme: dark)");
  private isRedrawn = false;
  private giveToken!: () => void;
  private readonly tokenGiven = new Promise<void>((resolve) => (this.giveToken = resolve));

  private readonly actions: Actions = {
    send: (text) => {
      void this.say(text);
      focusBox(this.composer);
    },
    runScan: (scan) => {
      const { isEnglishOnly } = this.deployment;
      const name = isEnglishOnly ? readable(scan).toLowerCase() : this.words.named("scan_", scan, readable(scan));
      this.actions.send(this.words.sentence("run_scan_text", isEnglishOnly, { name }));
    },
    recommend: () => {
      void this.recommend();
      focusBox(this.composer);
    },
    retry: (key) => {
      void this.conversation.retry(key);
      focusBox(this.composer);
    },
    answerAgain: (key) => {
      void this.conversation.answerAgain(key);
      focusBox(this.composer);
    },
    edit: (key) => void this.edit(key),
    decide: (key, decision, choice) => {
      void this.conversation.decide(key, decision, choice);
      focusBox(this.composer);
    },
    undo: (key) => void this.conversation.undo(key),
    expire: (key) => this.conversation.expire(key),
    askAgain: (key) => this.askAgain(key),
    openRecord: (record) => this.navigate({ page: null, record }),
    speak: (key) => void this.speech.read(key, this.preferences.voice),
    rate: (key, rating, reason) => this.rate(key, rating, reason),
    announce: (text) => this.announce(text),
    changed: (changes) => this.tellChanges(changes),
  };

  private readonly deployment = new Deployment(this);
  private readonly network = new Network(this, () => {
    this.announce(this.words.say("back_online"));
    const waiting = this.conversation.messages.findLast((message) => message.error?.code === "offline");
    if (waiting) void this.conversation.retry(waiting.key);
  });

  private readonly tabs = new Tabs(this, (ids) => this.conversation.takenBack(ids));

  private readonly speech = new SpeechControl(this, {
    api: () => this.client,
    words: () => this.words,
    textOf: (key) => this.conversation.find(key)?.text,
    said: (text) => {
      this.composer?.fill("");
      if (text) void this.say(text);
    },
    sounds: (level) => this.style.setProperty("--aisha-level", level.toFixed(2)),
    timed: (key, ttsMs) => {
      this.conversation.patch(key, { ttsMs });
      void recordCommand(this.client, readAloud(ttsMs));
    },
  });

  /** Open the panel, and send a message as if the user had written it. */
  ask(text: string): void {
    this.minimised = false;
    void this.say(text);
  }

  /** Open the panel with a text in the message box. */
  async draft(text: string): Promise<void> {
    this.minimised = false;
    this.view = "chat";
    await this.updateComplete;
    this.composer?.fill(text);
    this.composer?.focus();
  }

  /** Show a stored conversation. */
  async openConversation(id: string): Promise<void> {
    this.view = "chat";
    await this.conversation.open(id);
  }

  /** Hear that the page has taken back a change of these records: its answer offers no undo any more. */
  takenBack(ids: readonly string[]): void {
    this.conversation.takenBack(ids);
    this.tabs.tell(ids);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.isDark.addEventListener("change", this.redraw);
    this.addEventListener("keydown", this.pressed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.isDark.removeEventListener("change", this.redraw);
    this.removeEventListener("keydown", this.pressed);
    this.conversation?.stop();
  }

  override firstUpdated(): void {
    void this.loadViews();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!this.hasUpdated) {
      if (this.hasAttribute("theme")) this.preferences = { ...this.preferences, theme: this.theme };
      this.theme = this.preferences.theme;
      if (this.layout === "sidebar" && recall("minimised") === "yes") this.minimised = true;
    }
    if (changed.has("api") || !this.client) this.connect();
    if (this.token) this.giveToken();
    if (changed.has("theme")) this.preferences = { ...this.preferences, theme: this.theme };
    if (changed.has("minimised")) this.isUnread &&= this.minimised;
    const isLight = this.theme === "light" || (this.theme === "system" && !this.isDark.matches);
    this.dataset.theme = isLight ? "light" : "midnight";
  }

  /** While text streams, draw at most once a frame; in a hidden tab at once, because there are no frames. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.isRedrawn && !document.hidden) await new Promise(requestAnimationFrame);
    this.isRedrawn = false;
    const locale = this.locale || document.documentElement.lang || navigator.language;
    const isNew = locale !== this.wordsOf;
    if (isNew) {
      this.wordsOf = locale;
      this.words = await loadWords(locale);
    }
    super.scheduleUpdate();
  }

  override render() {
    const { words } = this;
    if (this.minimised && this.layout !== "fill") {
      return html`<aisha-launcher
          .words=${words}
          name=${this.calledName}
          ?unread=${this.isUnread}
          @click=${this.restore}
        ></aisha-launcher>
        ${this.announcer()}`;
    }
    const { conversation } = this;
    return html`<section
      class="panel"
      part="panel"
      lang=${words.language}
      dir=${words.direction}
      aria-label="${this.calledName}: ${words.say("assistant")}"
    >
      <aisha-header
        .words=${words}
        .mood=${conversation.mood}
        .name=${this.calledName}
        .state=${this.panelState}
        .view=${this.view}
        ?fresh=${conversation.messages.length === 0}
        ?minimisable=${this.layout !== "fill"}
        @view=${(event: CustomEvent<View>) => this.show(event.detail)}
        ?aloud=${this.preferences.isReadAloud}
        @sound=${this.sound}
        @clear=${this.begin}
        @minimise=${this.minimise}
      ></aisha-header>
      <div>
        ${this.network.isOnline ? nothing : html`<p class="banner" role="status">${icon("offline", 16)} ${words.say("offline")}</p>`}
        ${this.speech.problem ? html`<p class="banner" role="status">${icon("mic", 16)} ${this.speech.problem}</p>` : nothing}
      </div>
      <div class="body">${this.body()}</div>
      <div>
        ${
          this.view === "chat"
            ? this.isCalling
              ? this.call()
              : html`<aisha-composer
                  .words=${words}
                  .earlier=${conversation.spoken}
                  .heard=${this.speech.heard}
                  .editing=${this.editingWords}
                  @cancel=${() => (this.editing = null)}
                  placeholder=${words.say(conversation.pending ? "placeholder_pending" : "placeholder")}
                  ?busy=${conversation.phase !== "idle"}
                  ?planning=${this.preferences.isPlanning}
                  @plan=${() => this.prefer({ ...this.preferences, isPlanning: !this.preferences.isPlanning })}
                  ?listening=${this.speech.isListening}
                  ?voice=${this.speech.canListen}
                  @send=${(event: CustomEvent<string>) => this.say(event.detail, this.editing)}
                  @stop=${() => conversation.stop()}
                  ?calls=${this.deployment.voices.length > 0}
                  @call=${this.beginCall}
                  @talk=${this.speech.talk}
                  @release=${this.speech.finish}
                ></aisha-composer>`
            : nothing
        }
      </div>
      ${this.announcer()}
    </section>`;
  }

  private call() {
    return html`<aisha-voice
      .api=${this.client}
      .words=${this.words}
      .actions=${this.actions}
      .conversation=${this.conversation.id}
      voice=${this.preferences.callVoice}
      @ended=${(event: CustomEvent<CallEnded>) => this.endCall(event.detail)}
    ></aisha-voice>`;
  }

  private announcer() {
    return html`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`;
  }

  private body() {
    const { words, conversation, client, viewsError } = this;
    if (this.view !== "chat" && viewsError) {
      return html`<aisha-notice
        .words=${words}
        .text=${errorText(viewsError, words)}
        retryable
        @retry=${() => this.show(this.view)}
      ></aisha-notice>`;
    }
    if (this.view === "history") {
      return html`<aisha-history
        .api=${client}
        .words=${words}
        .current=${conversation.id}
        @open=${(event: CustomEvent<string>) => this.openConversation(event.detail)}
        @removed=${(event: CustomEvent<string>) => event.detail === conversation.id && conversation.clear()}
      ></aisha-history>`;
    }
    if (this.view === "settings") {
      return html`<aisha-settings
        .api=${client}
        .words=${words}
        .preferences=${this.preferences}
        @change=${(event: CustomEvent<Preferences>) => this.prefer(event.detail)}
      ></aisha-settings>`;
    }
    return html`<aisha-conversation
      .api=${client}
      .words=${words}
      .actions=${this.actions}
      .conversation=${conversation}
      name=${this.calledName}
      speaking=${this.speech.speaking ?? ""}
      ?english=${this.deployment.isEnglishOnly}
      ?on-record=${Boolean(this.recordId)}
    ></aisha-conversation>`;
  }

  private get calledName(): string {
    return this.name || this.deployment.assistantName;
  }

  private get panelState(): PanelState {
    if (!this.network.isOnline) return "offline";
    if (this.speech.isListening) return "listening";
    if (this.conversation.phase !== "idle") return "processing";
    if (this.speech.speaking) return "speaking";
    return this.conversation.messages.at(-1)?.state === "failed" ? "error" : "idle";
  }

  private connect(): void {
    this.conversation?.stop();
    const client = createApi({
      api: this.api,
      token: (isRenewal) => this.tokenSource().then((source) => source(isRenewal)),
      door: "widget",
    });
    this.client = client;
    this.speech.restart();
    const host: Host = {
      api: client,
      request: () => requestOf(this, this.preferences, this.words.locale),
      isPlanning: () => this.preferences.isPlanning,
      provide: (needs) => this.provide(needs),
      changed: this.redraw,
      kept: (id) => remember(`conversation.${this.api}`, id),
      answered: (message) => this.answered(message),
      recordsChanged: (changes) => this.tellChanges(changes),
      takenBack: (ids) => this.takenBack(ids),
      navigated: (navigation) => this.navigate(navigation),
      confirmationNeeded: (confirmation) => this.tell<Confirmation>("confirmationneeded", confirmation),
    };
    this.conversation = new Conversation(host);
    void this.deployment.ask(client, !this.name);
    const kept = recall(`conversation.${this.api}`);
    if (kept) void this.conversation.open(kept);
  }

  /** Resolve with the page's function, which its script may set after the element is there. */
  private async tokenSource(): Promise<TokenSource> {
    if (!this.token) await this.tokenGiven;
    return this.token!;
  }

  /** Send a message; only what comes from the box can take the place of the one that is being `edited`. */
  private async say(text: string, edited: string | null = null): Promise<void> {
    this.quieten();
    await this.conversation.send(text, edited);
  }

  /** Show the conversation, ready for a new answer. */
  private quieten(): void {
    this.view = "chat";
    this.speech.tell("");
    this.speech.stop();
    this.editing = null;
  }

  private async edit(key: string): Promise<void> {
    this.editing = key;
    await this.updateComplete;
    this.composer?.edit(this.conversation.find(key)!.text);
  }

  /** What becomes of the message that is being changed, in words; empty while none is. */
  private get editingWords(): string {
    const { editing, conversation } = this;
    if (editing === null || !conversation.find(editing)) return "";
    return this.words.say(conversation.isReplaceable(editing) ? "editing_replaces" : "editing_follows");
  }

  private askAgain(key: string): void {
    const { messages } = this.conversation;
    const place = messages.findIndex((message) => message.key === key);
    const asked = messages.slice(0, Math.max(place, 0)).findLast((message) => message.role === "user");
    if (asked) void this.say(asked.text);
  }

  private async provide(needs: NeededData): Promise<PageData | null> {
    return (await this.provideData?.(needs)) ?? null;
  }

  private answered(message: Message): void {
    if (this.minimised) this.isUnread = true;
    this.announce(announcementOf(message, this.words));
    if (this.preferences.isReadAloud && !message.error && !document.hidden) this.actions.speak(message.key);
  }

  private beginCall = async (): Promise<void> => {
    this.speech.stop();
    this.speech.tell("");
    await this.loadViews();
    if (this.viewsError) this.speech.tell(errorText(this.viewsError, this.words));
    else this.isCalling = true;
  };

  private async endCall({ conversationId, problem }: CallEnded): Promise<void> {
    this.isCalling = false;
    this.speech.tell(problem);
    if (conversationId) void this.conversation.open(conversationId);
    await this.updateComplete;
    focusBox(this.composer);
  }

  private rate(key: string, rating: "up" | "down", reason?: string): void {
    this.conversation.patch(key, { feedback: rating });
    const command = rated(rating, reason);
    if (command) void recordCommand(this.client, command);
  }

  private async recommend(): Promise<void> {
    this.quieten();
    const text = this.words.sentence("quick_next_text", this.deployment.isEnglishOnly);
    const begin = performance.now();
    const success = await this.conversation.recommend({ text, icon: "💡" });
    if (success === null) return;
    const executionTimeMs = Math.round(performance.now() - begin);
    const commandName = "next_step_recommendation";
    void recordCommand(this.client, { commandName, commandType: "button_command", success, executionTimeMs });
  }

  private navigate(detail: NavigateDetail | Navigation): void {
    this.tell<NavigateDetail>("navigate", detail);
  }

  private tellChanges(changes: RecordChange[]): void {
    for (const change of changes) this.tell<RecordChange>("recordchanged", change);
  }

  private tell<T>(name: string, detail: T): void {
    this.dispatchEvent(new CustomEvent<T>(name, { detail, bubbles: true, composed: true }));
  }

  private announce(text: string): void {
    // The same text twice would not be read the second time.
    this.announced = text === this.announced ? `${text}\u00a0` : text;
  }

  private prefer(preferences: Preferences): void {
    this.preferences = preferences;
    this.theme = preferences.theme;
    keepPreferences(preferences);
  }

  /** Read answers aloud from now on, or be silent at once. */
  private sound = (): void => {
    const isReadAloud = !this.preferences.isReadAloud;
    this.prefer({ ...this.preferences, isReadAloud });
    if (!isReadAloud) this.speech.stop();
  };

  private async show(view: View): Promise<void> {
    this.view = view;
    if (view !== "chat") await this.loadViews();
    await this.updateComplete;
    if (view === "chat") focusBox(this.composer);
  }

  /** Load the file with what the first text does not wait for: suggestions, history, settings, spoken conversations. */
  private async loadViews(): Promise<void> {
    this.viewsError = await import("./views.js").then(
      () => null,
      () => new ApiError(0, "unreachable", ""),
    );
  }

  private begin = async (): Promise<void> => {
    this.conversation.clear();
    await this.show("chat");
  };

  private minimise = async (): Promise<void> => {
    this.minimised = true;
    remember("minimised", "yes");
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("aisha-launcher")?.focus();
  };

  private restore = async (): Promise<void> => {
    this.minimised = false;
    remember("minimised", null);
    await this.updateComplete;
    focusBox(this.composer);
  };

  private pressed = (event: KeyboardEvent): void => {
    const [target] = event.composedPath() as HTMLElement[];
    const isTyping = target?.matches("input, textarea, select, [contenteditable]");
    if (event.key === "Escape" && this.view !== "chat") void this.show("chat");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || this.view !== "chat") return;
    pressQuick(event, this.words, this.deployment.isEnglishOnly, this.actions);
  };

  private redraw = (): void => {
    this.isRedrawn = true;
    this.requestUpdate();
  };
}
