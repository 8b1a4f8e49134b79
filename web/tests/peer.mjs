// The provider's part of a spoken conversation: a stubbed peer connection, and the answers that open a call.

export const VOICES = /GET \/api\/ai\/models/;
export const SESSION = /GET \/api\/ai\/realtime$/;
export const json = (body) => ({ status: 200, headers: { "content-type": "application/json" }, body });
const session = (world) => ({
  sessionId: "realtime_session_1",
  conversationId: "conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q",
  clientSecret: { value: "ek_secret", expiresAt: new Date(Date.now() + 60_000).toISOString() },
  model: "gpt-realtime",
  voice: "marin",
  url: `${world.url}/realtime/calls`,
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  tools: ["search_leads"],
});
/** Begin a call in the panel of a deployment with voice; return the page, whose peer connection is `window.peer`. */
export async function begin(world, options) {
  const models = await world.call("GET", "/api/ai/models");
  world.fail(VOICES, { ...json({ ...models, realtimeVoices: ["marin"] }), times: 9 });
  const page = await world.open(options);
  await page.evaluate(() => {
    window.sent = [];
    window.RTCPeerConnection = class {
      connectionState = "new";
      constructor() {
        window.peer = this;
      }
      addTrack(track) {
        this.track = track;
      }
      createDataChannel(name) {
        return (this.channel = {
          name,
          readyState: "open",
          send: (text) => window.sent.push(JSON.parse(text)),
          close: () => (this.channel.readyState = "closed"),
        });
      }
      createOffer = async () => ({ type: "offer", sdp: "v=0 offer" });
      setLocalDescription = async () => undefined;
      setRemoteDescription = async (answer) => {
        this.answer = answer;
        this.channel.onopen();
      };
      close() {
        this.connectionState = "closed";
      }
    };
    window.tell = (...events) =>
      events.forEach((event) => window.peer.channel.onmessage({ data: JSON.stringify(event) }));
  });
  world.fail(SESSION, json(session(world)));
  world.fail(/POST \/realtime\/calls/, {
    status: 201,
    headers: { "content-type": "application/sdp" },
    body: "v=0 answer",
  });
  await page.getByRole("button", { name: "Talk with the assistant" }).click();
  await page.locator("aisha-voice").getByText("Listening…").waitFor();
  return page;
}

export const tell = (page, ...events) => page.evaluate((all) => window.tell(...all), events);

/** Let the user's words arrive. */
export const speak = (page, id, transcript) =>
  tell(
    page,
    { type: "input_audio_buffer.committed", item_id: id },
    { type: "conversation.item.input_audio_transcription.completed", item_id: id, transcript },
  );
