/** One conversation with the assistant: its messages, its running turn, and what the user decides. */

import {
  ApiError,
  asApiError,
  newKey,
  streamTurn,
  type Api,
  type ChatRequest,
  type components,
  type Confirmation,
  type Entity,
  type FollowUp,
  type Mood,
  type TurnPart,
} from "../api/index.js";
import { newMessage, type Message, type RecordChange } from "./message.js";
import type { NeededData, PageData } from "./public.js";
import { NEXT_STEP, recommendScan } from "./next_step.js";
import { planAfter, planEnded, planOf } from "./plan.js";
import { loadConversation, messagesOf } from "./stored.js";
import { takeBack, withoutUndo } from "./taking_back.js";
import { applyPart, endSteps, type Effects, type Navigation } from "./turn.js";

type Schemas = components["schemas"];

/** What a conversation needs of the element around it. */
export interface Host {
  api: Api;
  /** Members of every request: locale, time zone, what the page shows, mode and model. */
  request(): ChatRequest;
  /** Return whether the user wants a plan of several steps before anything is done. */
  isPlanning(): boolean;
  /** Return the data that the assistant asks for, or null if the page has none. */
  provide(needs: NeededData): Promise<PageData | null>;
  changed(): void;
  kept(conversationId: string | null): void;
  /** A whole answer has arrived. */
  answered(message: Message): void;
  recordsChanged(changes: RecordChange[]): void;
  /** A change of these records was taken back. */
  takenBack(ids: readonly string[]): void;
  navigated(navigation: Navigation): void;
  confirmationNeeded(confirmation: Confirmation): void;
}

interface Sent {
  path: string;
  body: ChatRequest & Partial<Schemas["FlowRequest"]>;
  key: string;
  /** The message with the question that this decides. */
  asked?: Message;
  /** The question and the answer whose place this takes, once its own answer is complete. */
  replaced: readonly Message[];
}

export type Phase = "idle" | "processing";

const CHAT = "/api/ai/chat";
/** Plans several steps, and runs what a confirmation's id decides. */
const FLOW = "/api/ai/flow-chat";
const SETTLED = new Set([404, 409, 410]);

/** The state of one conversation. `host.changed` is called after every change. */
export class Conversation {
  id: string | null = null;
  title = "";
  messages: readonly Message[] = [];
  entities: readonly Entity[] = [];
  mood: Mood | null = null;
  phase: Phase = "idle";
  isLoading = false;
  loadError: ApiError | null = null;

  private running: AbortController | null = null;
  private readonly sent = new Map<string, Sent>();

  constructor(private readonly host: Host) {}

  /** The confirmation that waits for the user, with its message; only the last answer can have one. */
  get pending(): Message | null {
    // The recommendation of a scan has no id, and settles no question.
    const last = this.messages.findLast(({ role, id }) => role === "assistant" && id);
    return last?.confirmation && !last.decision ? last : null;
  }

  /** The user's earlier texts, the last one first. */
  get spoken(): string[] {
    return this.messages
      .filter((message) => message.role === "user")
      .map((message) => message.text)
      .reverse();
  }

  /** The user's last message, which may be changed; null while a turn runs, or when something else came since. */
  get editable(): Message | null {
    const last = this.messages.at(-2);
    return this.phase === "idle" && last?.role === "user" ? last : null;
  }

  /** Return whether a new answer may take the place of the one to this message. */
  isReplaceable(key: string): boolean {
    const { editable } = this;
    return editable?.key === key && (this.messages.at(-1)?.isReplaceable ?? false);
  }

  /**
   * Send a message and show its answer as it comes. Does nothing while another turn runs. They take the place of the
   * user's message `edited` and its answer if that only read; otherwise they follow them.
   */
  async send(text: string, edited: string | null = null): Promise<void> {
    const message = text.trim();
    if (!message || this.phase !== "idle") return;
    const replaced = edited !== null && this.isReplaceable(edited) ? this.messages.slice(-2) : [];
    const replaces = replaced[1]?.id;
    const answer = newMessage({ role: "assistant", state: "streaming" });
    this.settlePending();
    this.messages = [...this.messages, newMessage({ role: "user", text: message }), answer];
    const path = this.host.isPlanning() ? FLOW : CHAT;
    const body = { ...this.body(), message, ...(replaces ? { replaces } : {}) };
    await this.run(answer.key, { path, body, key: newKey(), replaced });
  }

  /**
   * Ask which scan to run next, and offer `followUp` after it. The answer is not stored with the conversation. Does
   * nothing while another turn runs, and resolves with null; otherwise with whether it came.
   */
  async recommend(followUp: FollowUp): Promise<boolean | null> {
    if (this.phase !== "idle") return null;
    const answer = newMessage({ role: "assistant", state: "streaming", followUps: [followUp] });
    this.messages = [...this.messages, answer];
    await this.run(answer.key, { path: NEXT_STEP, body: this.host.request(), key: newKey(), replaced: [] });
    return this.find(answer.key)?.state === "done";
  }

  /** Ask for another answer in the place of this one, which only read. */
  async answerAgain(key: string): Promise<void> {
    const { editable } = this;
    if (editable && this.messages.at(-1)?.key === key) await this.send(editable.text, editable.key);
  }

  /** Send a failed or stopped message again, under its key: what was written already is not written twice. */
  async retry(key: string): Promise<void> {
    const sent = this.sent.get(key);
    if (!sent || this.phase !== "idle") return;
    const wasRefused = this.find(key)?.error?.code === "invalid_input";
    this.patch(key, { state: "streaming", error: null, at: new Date() });
    if (sent.asked) this.patch(sent.asked.key, { decision: sent.body.userConfirmation ? "approved" : "rejected" });
    await this.run(key, wasRefused ? { ...sent, key: newKey() } : sent);
  }

  /** End the running turn. What it has shown stays, marked as stopped. */
  stop(): void {
    this.running?.abort(new DOMException("stopped", "AbortError"));
  }

  /** Answer a confirmation with a button. Two tabs that answer alike get the same outcome. */
  async decide(key: string, decision: "approve" | "reject", choice: string | null = null): Promise<void> {
    const asked = this.find(key);
    if (!asked?.confirmation || asked.decision || this.phase !== "idle") return;
    const { id } = asked.confirmation;
    const answer = newMessage({ role: "assistant", state: "streaming" });
    const userConfirmation = decision === "approve";
    this.patch(key, {
      decision: userConfirmation ? "approved" : "rejected",
      plan: planOf(asked.confirmation, choice),
      followUps: [],
    });
    this.messages = [...this.messages, answer];
    await this.run(answer.key, {
      path: FLOW,
      body: { ...this.host.request(), userConfirmation, confirmationId: id, ...(choice === null ? {} : { choice }) },
      key: `${id}:${decision}:${hashOf(choice ?? "")}`,
      asked,
      replaced: [],
    });
  }

  /** Take back all that an answer changed, as far as nothing was changed after it. */
  async undo(key: string): Promise<void> {
    const message = this.find(key);
    if (!message?.changes.length || message.undo) return;
    this.patch(key, { undo: "running" });
    const { undone, error } = await takeBack(this.host.api, message.changes);
    this.patch(key, { undo: error ? null : "done" });
    const note = newMessage({ role: "system", changes: undone, error });
    this.messages = [...this.messages, note];
    this.take({ changes: undone, navigation: null, isUndo: true });
    this.host.changed();
    this.host.answered(note);
  }

  /** Offer no undo of these records' changes any more: one of them was taken back. */
  takenBack(ids: readonly string[]): void {
    this.messages = withoutUndo(this.messages, ids);
    this.host.changed();
  }

  /** Mark a confirmation whose time has run out. */
  expire(key: string): void {
    if (!this.find(key)?.decision) this.patch(key, { decision: "expired", followUps: [] });
  }

  /** Begin a new conversation; nothing is stored until its first message. */
  clear(): void {
    this.stop();
    this.sent.clear();
    Object.assign(this, { id: null, title: "", messages: [], entities: [], mood: null, loadError: null });
    this.host.kept(null);
    this.host.changed();
  }

  /** Show a stored conversation as it was. Rejects nothing: `loadError` has the error. */
  async open(id: string): Promise<void> {
    this.stop();
    this.sent.clear();
    Object.assign(this, { id, title: "", messages: [], entities: [], mood: null, loadError: null, isLoading: true });
    this.host.changed();
    try {
      const detail = await loadConversation(this.host.api, id);
      if (this.id !== id) return;
      this.title = detail.title;
      this.entities = detail.entities;
      this.messages = messagesOf(detail);
      this.mood = this.messages.findLast((message) => message.mood)?.mood ?? null;
      this.host.kept(id);
    } catch (error) {
      if (this.id !== id) return;
      const failure = asApiError(error);
      if (failure.status === 404) this.clear();
      else this.loadError = failure;
    } finally {
      if (this.id === id || this.id === null) this.isLoading = false;
      this.host.changed();
    }
  }

  patch(key: string, members: Partial<Message>): void {
    this.messages = this.messages.map((message) => (message.key === key ? { ...message, ...members } : message));
    this.host.changed();
  }

  find(key: string): Message | undefined {
    return this.messages.find((message) => message.key === key);
  }

  private body(): ChatRequest {
    return { ...this.host.request(), ...(this.id ? { conversationId: this.id } : {}) };
  }

  private async run(key: string, sent: Sent): Promise<void> {
    this.sent.set(key, sent);
    this.hide(sent.replaced);
    const { signal } = this.begin();
    const { api } = this.host;
    const parts =
      sent.path === NEXT_STEP
        ? recommendScan(api, sent.body, signal)
        : streamTurn(api, sent.path, sent.body, sent.key, signal);
    try {
      for await (const part of parts) {
        if (part.type === "start") this.begun(part.messageMetadata.conversationId);
        this.followPlan(sent, part);
        const [message, effects] = applyPart(this.find(key)!, part, performance.now());
        this.replace(message);
        this.take(effects);
      }
      this.finish(key);
    } catch (error) {
      if (signal.aborted) {
        this.patch(key, { state: "stopped", ...stepsOf(this.find(key)) });
        this.endPlan(sent);
        this.showAgain(sent.replaced, key);
      } else this.fail(key, asApiError(error), sent);
    } finally {
      this.end();
    }
    const needs = this.find(key)?.needs;
    if (needs && !signal.aborted) await this.answerNeeds(key, needs, sent);
  }

  /** Ask the page for the data, and send the same message again with it; once, so that it can't go round. */
  private async answerNeeds(key: string, needs: NeededData, sent: Sent): Promise<void> {
    if (sent.body.attachedData) return;
    const data = await this.host.provide(needs).catch(() => null);
    if (!data?.attachedData || this.phase !== "idle") return;
    // What the first request replaced is gone by now.
    const again = { ...sent.body, ...this.body(), ...data, replaces: null };
    this.patch(key, { needs: null, text: "", state: "streaming" });
    await this.run(key, { path: sent.path, body: again, key: newKey(), replaced: [] });
  }

  /** Show at the question how far the steps of its plan have come. */
  private followPlan({ asked }: Sent, part: TurnPart): void {
    const plan = asked && this.find(asked.key)?.plan;
    if (plan) this.patch(asked.key, { plan: planAfter(plan, part) });
  }

  private endPlan({ asked }: Sent): void {
    const plan = asked && this.find(asked.key)?.plan;
    if (plan) this.patch(asked.key, { plan: planEnded(plan) });
  }

  private begin(): AbortController {
    this.running = new AbortController();
    this.phase = "processing";
    this.host.changed();
    return this.running;
  }

  private end(): void {
    this.running = null;
    this.phase = "idle";
    this.host.changed();
  }

  private begun(id: string): void {
    if (this.id === id) return;
    this.id = id;
    this.host.kept(id);
  }

  private finish(key: string): void {
    const message = this.find(key)!;
    this.patch(key, { state: "done", at: new Date() });
    if (message.entities.length) this.entities = message.entities;
    if (message.mood) this.mood = message.mood;
    if (message.confirmation) this.host.confirmationNeeded(message.confirmation);
    this.host.answered(this.find(key)!);
  }

  private fail(key: string, error: ApiError, sent: Sent): void {
    const { asked } = sent;
    this.patch(key, { state: "failed", error, ...stepsOf(this.find(key)) });
    if (asked) {
      const isSettled = SETTLED.has(error.status);
      this.patch(asked.key, isSettled ? { decision: "settled" } : { decision: null, followUps: asked.followUps });
      this.endPlan(sent);
    }
    this.showAgain(sent.replaced, key);
    this.host.answered(this.find(key)!);
  }

  private hide(messages: readonly Message[]): void {
    const keys = new Set(messages.map((message) => message.key));
    this.messages = this.messages.filter((message) => !keys.has(message.key));
  }

  /** Show messages before the question whose answer did not become complete: they are still stored. */
  private showAgain(messages: readonly Message[], key: string): void {
    const place = this.messages.findIndex((message) => message.key === key) - 1;
    this.messages = this.messages.toSpliced(place, 0, ...messages);
  }

  private take({ changes, navigation, isUndo }: Effects): void {
    if (changes.length) this.host.recordsChanged(changes);
    if (isUndo) this.host.takenBack(changes.map(({ id }) => id));
    if (navigation) this.host.navigated(navigation);
  }

  private replace(message: Message): void {
    this.messages = this.messages.map((one) => (one.key === message.key ? message : one));
    this.host.changed();
  }

  /** The next message settles a question that waits, whatever it says; the API's answer tells how. */
  private settlePending(): void {
    const { pending } = this;
    if (pending) this.messages = this.messages.map((one) => (one === pending ? { ...one, decision: "settled" } : one));
  }
}

function stepsOf(message: Message | undefined): Partial<Message> {
  return message ? { steps: endSteps(message).steps } : {};
}

/** Return a short ASCII form of a choice, which a key may hold. */
function hashOf(text: string): string {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) | 0;
  return (hash >>> 0).toString(36);
}
