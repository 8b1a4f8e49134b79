/** Push to talk, and answers that are read aloud: one at a time, by the panel's buttons. */

import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Api } from "../api/index.js";
import { canListen, Listening } from "./recognition.js";
import type { Speech } from "./speech.js";
import type { Words } from "./words.js";

/** What the panel gives to its speech, and hears from it. */
export interface SpeechHost {
  api(): Api;
  words(): Words;
  /** Return the Markdown of a message. */
  textOf(key: string): string | undefined;
  /** Take what the user has said; empty if nothing was understood. */
  said(text: string): void;
  /** Take how loud the voice is, 0 to 1. */
  sounds(level: number): void;
  /** Take the milliseconds until the first sound of a message that was read. */
  timed(key: string, ttsMs: number): void;
}

export class SpeechControl implements ReactiveController {
  readonly canListen = canListen();
  /** The user's words so far. */
  heard = "";
  /** The key of the message that is read aloud. */
  speaking: string | null = null;
  /** What went wrong with the microphone or the connection, in words. */
  problem = "";
  private listening: Listening | null = null;
  private speech: Speech | undefined;

  constructor(
    private readonly panel: ReactiveControllerHost,
    private readonly host: SpeechHost,
  ) {
    panel.addController(this);
  }

  hostDisconnected(): void {
    this.stop();
  }

  get isListening(): boolean {
    return this.listening !== null;
  }

  /** Be silent. */
  stop(): void {
    this.speech?.stop();
    this.show({ speaking: null });
  }

  /** Begin with another API. */
  restart(): void {
    this.stop();
    this.speech = undefined;
  }

  /** Show words about the voice in place of the last ones; empty for none. */
  tell(problem: string): void {
    this.show({ problem });
  }

  /** Read a message aloud with the browser's `voice`, or end reading it. */
  async read(key: string, voice: string): Promise<void> {
    const isOn = this.speaking === key;
    this.stop();
    const text = this.host.textOf(key);
    if (isOn || !text) return;
    this.show({ speaking: key });
    try {
      this.speech ??= new (await import("./views.js")).Speech(this.host.api(), this.host.sounds);
    } catch {
      this.show({ speaking: null, problem: this.host.words().say("error_unreachable") });
      return;
    }
    // Another click may have come while the file was loaded.
    if (this.speaking !== key) return;
    const ttsMs = await this.speech.say(text, this.host.words().locale, voice);
    if (this.speaking === key) this.show({ speaking: null });
    this.host.timed(key, ttsMs);
  }

  /** Listen until `finish`, and send what was said. */
  readonly talk = async (): Promise<void> => {
    if (this.listening) return;
    this.stop();
    this.show({ problem: "", heard: "" });
    const words = this.host.words();
    try {
      this.listening = new Listening(words.locale, (heard) => this.show({ heard }));
    } catch {
      this.tell(words.say("error_microphone"));
      return;
    }
    this.panel.requestUpdate();
    const heard = await this.listening.heard;
    this.listening = null;
    this.show({ heard: "" });
    this.host.said("text" in heard ? heard.text : "");
    if ("problem" in heard) this.tell(words.say(`error_${heard.problem}`));
  };

  readonly finish = (): void => this.listening?.finish();

  private show(changes: Partial<Pick<SpeechControl, "heard" | "speaking" | "problem">>): void {
    Object.assign(this, changes);
    this.panel.requestUpdate();
  }
}
