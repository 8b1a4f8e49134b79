/** A spoken conversation by WebRTC: sound both ways, captions, and the model's tool calls relayed to the API. */

import { ApiError, dataOf, type Api, type components, type Confirmation } from "../api/index.js";
import { Loudness } from "./loudness.js";
import type { RecordChange } from "./message.js";
import { effectsOf } from "./turn.js";

export type CallState = "connecting" | "listening" | "processing" | "speaking";

/** How long an answer took, in milliseconds from the end of the user's words. */
export interface CallTiming {
  /** Until these words were recognised. */
  sttMs?: number;
  /** Until the model's first words. */
  llmMs?: number;
  /** From there to their sound. */
  ttsMs?: number;
  /** Until the sound, or the end of an answer without one. */
  totalMs: number;
}

/** What a call tells the element around it. */
export interface CallHost {
  state(state: CallState): void;
  timed(timing: CallTiming): void;
  /** Words of a speaker so far; those of the same `id` replace each other. */
  caption(id: string, who: "user" | "assistant", text: string): void;
  /** The question that waits for the user; null when it is settled. */
  asked(question: Confirmation | null): void;
  changed(changes: RecordChange[]): void;
  /** The call is over: the user ended it, or it broke with an error. */
  ended(error: ApiError | null): void;
}

interface ServerEvent {
  type: string;
  item_id?: string;
  transcript?: string;
  delta?: string;
  item?: { type: string; name?: string; call_id?: string; arguments?: string };
}

interface Utterance {
  id: string;
  text: Promise<string | null>;
  heard: (text: string | null) => void;
}

/** How long a tool call waits for the words that ordered it. Without them the API asks before it writes. */
const TRANSCRIPT_MS = 4000;

/** The moments of an answer, in milliseconds from the end of the user's words. */
interface Moments {
  began: number;
  recognised?: number;
  words?: number;
  sound?: number;
}

export class RealtimeCall {
  /** The API's conversation, once the session is open. */
  conversationId: string | null = null;
  /** Whether a tool was called: only then the conversation has something to show. */
  hasActed = false;

  private session: components["schemas"]["Realtime"] | null = null;
  private readonly peer = new RTCPeerConnection();
  private channel: RTCDataChannel | null = null;
  private microphone: MediaStream | null = null;
  private readonly player = new Audio();
  private readonly loudness = new Loudness();
  private utterance: Utterance | null = null;
  private moments: Moments | null = null;
  private readonly captions = new Map<string, string>();
  private openCalls = 0;
  private isOver = false;

  constructor(
    private readonly api: Api,
    private readonly host: CallHost,
  ) {}

  /** Begin the call. Errors end it, and are told to the host. */
  async start(conversationId: string | null, voice: string): Promise<void> {
    this.host.state("connecting");
    try {
      // The microphone first: the session's secret lasts a minute, and the browser may have to ask the user.
      this.microphone = await navigator.mediaDevices
        .getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } })
        .catch(() => {
          throw new ApiError(0, "microphone", "");
        });
      const query = { ...(conversationId ? { conversationId } : {}), ...(voice ? { voice } : {}) };
      this.session = await dataOf(this.api.rest.GET("/api/ai/realtime", { params: { query: query as never } }));
      this.conversationId = this.session.conversationId;
      if (!this.isOver) await this.connect(this.session);
    } catch (error) {
      this.end(error instanceof ApiError ? error : new ApiError(0, "unreachable", ""));
    }
  }

  /** Return how loud both voices are, 0 to 1. */
  level(): number {
    return this.loudness.level();
  }

  /** Switch the microphone off or on. */
  mute(isMuted: boolean): void {
    for (const track of this.microphone?.getTracks() ?? []) track.enabled = !isMuted;
  }

  /** Tell the model what became of a question that the user answered with a button. */
  tell(text: string): void {
    const content = [{ type: "input_text", text }];
    this.send({ type: "conversation.item.create", item: { type: "message", role: "system", content } });
    this.send({ type: "response.create" });
  }

  end(error: ApiError | null = null): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const track of this.microphone?.getTracks() ?? []) track.stop();
    this.channel?.close();
    this.peer.close();
    this.player.pause();
    this.player.srcObject = null;
    this.loudness.close();
    this.host.ended(error);
  }

  private async connect({ url, clientSecret }: components["schemas"]["Realtime"]): Promise<void> {
    const { peer, microphone } = this;
    for (const track of microphone!.getTracks()) peer.addTrack(track, microphone!);
    this.loudness.listenTo(microphone!);
    peer.ontrack = ({ streams: [stream] }) => {
      this.player.srcObject = stream!;
      void this.player.play().catch(() => undefined);
      this.loudness.listenTo(stream!);
    };
    peer.onconnectionstatechange = () =>
      ["failed", "closed"].includes(peer.connectionState) && this.end(new ApiError(0, "call_lost", ""));
    this.channel = peer.createDataChannel("oai-events");
    this.channel.onopen = () => this.host.state("listening");
    this.channel.onclose = () => this.end(new ApiError(0, "call_lost", ""));
    this.channel.onmessage = ({ data }) => this.take(JSON.parse(String(data)) as ServerEvent);
    const offer = await peer.createOffer();
    await peer.setLocalDescription(offer);
    const answer = await fetch(url, {
      method: "POST",
      body: offer.sdp ?? "",
      headers: { authorization: `Bearer ${clientSecret.value}`, "content-type": "application/sdp" },
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    if (!answer.ok) throw new ApiError(answer.status, "call_lost", "");
    await peer.setRemoteDescription({ type: "answer", sdp: await answer.text() });
  }

  private take(event: ServerEvent): void {
    const { type, item_id: id = "", delta = "", transcript } = event;
    switch (type) {
      case "input_audio_buffer.speech_started":
        return this.host.state("listening");
      case "input_audio_buffer.committed":
        this.utterance = utteranceOf(id);
        this.moments = { began: performance.now() };
        return this.host.state("processing");
      case "conversation.item.input_audio_transcription.delta":
        return this.caption(id, "user", (this.captions.get(id) ?? "") + delta);
      case "conversation.item.input_audio_transcription.completed":
        if (this.utterance?.id === id) this.utterance.heard(transcript ?? null);
        this.mark("recognised");
        return this.caption(id, "user", transcript ?? "");
      case "conversation.item.input_audio_transcription.failed":
        if (this.utterance?.id === id) this.utterance.heard(null);
        return;
      case "output_audio_buffer.started":
        return this.mark("sound");
      case "response.output_audio_transcript.delta":
        this.mark("words");
        this.host.state("speaking");
        return this.caption(id, "assistant", (this.captions.get(id) ?? "") + delta);
      case "response.output_audio_transcript.done":
        return this.caption(id, "assistant", transcript ?? this.captions.get(id) ?? "");
      case "response.output_item.done":
        if (event.item?.type === "function_call") void this.relay(event.item);
        return;
      case "response.done":
        if (this.openCalls) return;
        this.time();
        this.host.state("listening");
    }
  }

  private mark(moment: "recognised" | "words" | "sound"): void {
    if (this.moments) this.moments[moment] ??= performance.now() - this.moments.began;
  }

  /** Tell how long the answer took that has just ended. */
  private time(): void {
    if (!this.moments) return;
    const { began, recognised: sttMs, words: llmMs, sound } = this.moments;
    this.moments = null;
    const ttsMs = sound === undefined || llmMs === undefined ? undefined : Math.max(sound - llmMs, 0);
    this.host.timed({ sttMs, llmMs, ttsMs, totalMs: sound ?? performance.now() - began });
  }

  private caption(id: string, who: "user" | "assistant", text: string): void {
    this.captions.set(id, text);
    this.host.caption(id, who, text);
  }

  /** Run a call of the model at the API, which checks it again, and give the model its outcome. */
  private async relay({
    name = "",
    call_id: callId = "",
    arguments: args,
  }: NonNullable<ServerEvent["item"]>): Promise<void> {
    this.openCalls += 1;
    this.hasActed = true;
    this.host.state("processing");
    const { utterance } = this;
    const words = utterance && (await Promise.race([utterance.text, later(TRANSCRIPT_MS)]));
    const said = words ? { userTranscript: words, userItemId: utterance.id } : {};
    let output: string;
    try {
      const body = { sessionId: this.session!.sessionId, callId, name, arguments: args || "{}", ...said };
      const header = { "Idempotency-Key": `${this.session!.sessionId}:${callId}` };
      const answer = await dataOf(this.api.rest.POST("/api/ai/realtime/tools", { body, params: { header } }));
      output = answer.output;
      if (answer.confirmation || ["confirmed", "cancelled"].includes(answer.status))
        this.host.asked(answer.confirmation ?? null);
      this.host.changed(effectsOf(parsed(output)).changes);
    } catch (error) {
      const message = error instanceof ApiError && error.message ? error.message : "The tool can't be reached.";
      output = JSON.stringify({ error: message });
    }
    this.openCalls -= 1;
    this.send({ type: "conversation.item.create", item: { type: "function_call_output", call_id: callId, output } });
    // Of several calls at once the last one lets the model go on.
    if (!this.openCalls) this.send({ type: "response.create" });
  }

  private send(event: object): void {
    if (this.channel?.readyState === "open") this.channel.send(JSON.stringify(event));
  }
}

function utteranceOf(id: string): Utterance {
  let heard!: Utterance["heard"];
  const text = new Promise<string | null>((resolve) => (heard = resolve));
  return { id, text, heard };
}

function later(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
