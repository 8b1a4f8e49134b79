/** Push to talk: the browser's own recognition of speech, where it has one. */

interface Result {
  readonly isFinal: boolean;
  readonly 0: { readonly transcript: string };
}

interface Recogniser extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

type RecogniserClass = new () => Recogniser;

/** What a user said, or why nothing was heard. */
export type Heard = { text: string } | { problem: "microphone" | "no_speech" | "unreachable" };

const PROBLEMS: Record<string, "microphone" | "no_speech" | "unreachable"> = {
  "not-allowed": "microphone",
  "service-not-allowed": "microphone",
  "audio-capture": "microphone",
  "no-speech": "no_speech",
  network: "unreachable",
};

function recogniserClass(): RecogniserClass | undefined {
  const scope = globalThis as { SpeechRecognition?: RecogniserClass; webkitSpeechRecognition?: RecogniserClass };
  return scope.SpeechRecognition ?? scope.webkitSpeechRecognition;
}

/** Return whether this browser can recognise speech. */
export function canListen(): boolean {
  return recogniserClass() !== undefined;
}

/** One utterance, from the press of the button to its release. */
export class Listening {
  /** What was said, once the browser has finished after `finish` or by itself. */
  readonly heard: Promise<Heard>;
  private readonly recogniser: Recogniser;

  /** Begin to listen; `caption` is called with the words so far. */
  constructor(locale: string, caption: (text: string) => void) {
    this.recogniser = new (recogniserClass()!)();
    Object.assign(this.recogniser, { lang: locale, continuous: true, interimResults: true });
    this.heard = new Promise((resolve) => {
      let text = "";
      let problem: Heard | null = null;
      this.recogniser.addEventListener("result", (event) => {
        const { results } = event as Event & { results: ArrayLike<Result> };
        text = Array.from(results, (result) => result[0].transcript)
          .join(" ")
          .replace(/\s+/g, " ")
          .trim();
        caption(text);
      });
      this.recogniser.addEventListener("error", (event) => {
        const name = (event as Event & { error: string }).error;
        problem = { problem: PROBLEMS[name] ?? "no_speech" };
      });
      this.recogniser.addEventListener("end", () => resolve(text ? { text } : (problem ?? { problem: "no_speech" })));
    });
    this.recogniser.start();
  }

  finish(): void {
    this.recogniser.stop();
  }
}
