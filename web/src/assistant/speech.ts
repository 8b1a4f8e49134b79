/** An answer read aloud: by the speech endpoint's voice, or by the browser's where the deployment has none. */

import type { Api } from "../api/index.js";
import { ApiError } from "../api/index.js";
import { Loudness } from "./loudness.js";
import { plainText } from "./markdown.js";

const MAX_CHARACTERS = 5000;

/** Return the browser's voices for a locale's language. */
export function voicesFor(locale: string): SpeechSynthesisVoice[] {
  const language = locale.slice(0, 2).toLowerCase();
  const voices = globalThis.speechSynthesis?.getVoices() ?? [];
  return voices.filter((voice) => voice.lang.toLowerCase().startsWith(language));
}

/** Reads one text at a time. */
export class Speech {
  private stopped = new AbortController();
  /** The deployment has no voice: it is not asked again. */
  private isBrowserOnly = false;

  /** `showLevel` gets how loud the deployment's voice is, 0 to 1, with every frame. */
  constructor(
    private readonly api: Api,
    private readonly showLevel: (level: number) => void,
  ) {}

  /** Speak Markdown. Resolves at its end, or when stopped, with the milliseconds until the first sound. */
  async say(markdown: string, locale: string, voice: string): Promise<number> {
    this.stop();
    this.stopped = new AbortController();
    const { signal } = this.stopped;
    const began = performance.now();
    const sounds = (): number => performance.now() - began;
    if (!this.isBrowserOnly) {
      try {
        const body = JSON.stringify({ text: markdown.slice(0, MAX_CHARACTERS), locale });
        const headers = { "content-type": "application/json" };
        const response = await this.api.fetch("/api/ai/speech", { method: "POST", headers, body, signal });
        return await play(await response.blob(), signal, sounds, this.showLevel);
      } catch (error) {
        if (signal.aborted) return sounds();
        this.isBrowserOnly = error instanceof ApiError && error.status === 501;
      }
    }
    return speak(plainText(markdown), locale, voice, signal, sounds);
  }

  stop(): void {
    this.stopped.abort();
  }
}

function play(
  audio: Blob,
  signal: AbortSignal,
  sounds: () => number,
  showLevel: (level: number) => void,
): Promise<number> {
  const url = URL.createObjectURL(audio);
  const player = new Audio(url);
  const loudness = new Loudness();
  loudness.playThrough(player);
  let frame = 0;
  const draw = (): void => {
    showLevel(loudness.level());
    frame = requestAnimationFrame(draw);
  };
  return new Promise<number>((resolve, reject) => {
    let first = 0;
    player.onplaying = () => (first ||= sounds());
    player.onended = () => resolve(first);
    player.onerror = () => reject(new Error("The audio can't be played."));
    signal.addEventListener("abort", () => {
      player.pause();
      resolve(first);
    });
    player.play().catch(reject);
    draw();
  }).finally(() => {
    cancelAnimationFrame(frame);
    showLevel(0);
    loudness.close();
    URL.revokeObjectURL(url);
  });
}

function speak(
  text: string,
  locale: string,
  voice: string,
  signal: AbortSignal,
  sounds: () => number,
): Promise<number> {
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  if (!synthesis) return Promise.resolve(0);
  return new Promise((resolve) => {
    let first = 0;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = locale;
    utterance.voice = voicesFor(locale).find((one) => one.voiceURI === voice) ?? null;
    utterance.onstart = () => (first = sounds());
    utterance.onend = utterance.onerror = () => resolve(first);
    signal.addEventListener("abort", () => {
      synthesis.cancel();
      resolve(first);
    });
    synthesis.speak(utterance);
  });
}
