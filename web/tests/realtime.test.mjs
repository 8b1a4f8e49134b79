// A spoken conversation with the fake microphone, the real API for its session and tools where it can be, and a peer
// that plays the provider's part.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "./harness.mjs";
import { begin, json, SESSION, speak, tell, VOICES } from "./peer.mjs";
import { problem } from "./streams.mjs";
import { assertClean, heard, textOf } from "./talk.mjs";

const world = await startWorld();
let page;

const TOOLS = /POST \/api\/ai\/realtime\/tools/;
const answered = (members) =>
  json({
    sessionId: "realtime_session_1",
    callId: "call_1",
    conversationId: "conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q",
    status: "executed",
    output: '{"total":2}',
    say: "Found 2.",
    replayed: false,
    ...members,
  });

const call = (members) =>
  tell(page, {
    type: "response.output_item.done",
    item: {
      type: "function_call",
      name: "search_leads",
      call_id: "call_1",
      arguments: '{"status":"warm"}',
      ...members,
    },
  });
const sent = (type) => page.evaluate((wanted) => window.sent.filter((one) => one.type === wanted), type);

test("a call opens with the microphone and the secret, shows captions, and relays what the model calls", async () => {
  page = await begin(world);
  const [offer] = world.requests.filter((one) => one.name === "POST /realtime/calls");
  assert.equal(offer.headers.authorization, "Bearer ek_secret");
  assert.equal(offer.body, "v=0 offer");
  assert.deepEqual(await page.evaluate(() => [window.peer.track.kind, window.peer.answer.sdp]), [
    "audio",
    "v=0 answer",
  ]);
  world.fail(TOOLS, answered());
  await speak(page, "item_1", "Show me my warm leads");
  await call();
  await page.waitForFunction(() => window.sent.some((one) => one.type === "response.create"));
  const [body] = world.sent("POST /api/ai/realtime/tools");
  assert.deepEqual(
    [body.sessionId, body.callId, body.name, body.userTranscript, body.userItemId],
    ["realtime_session_1", "call_1", "search_leads", "Show me my warm leads", "item_1"],
  );
  assert.deepEqual((await sent("conversation.item.create"))[0].item, {
    type: "function_call_output",
    call_id: "call_1",
    output: '{"total":2}',
  });
  await tell(
    page,
    { type: "response.output_audio_transcript.delta", item_id: "item_2", delta: "You have " },
    { type: "response.output_audio_transcript.delta", item_id: "item_2", delta: "two warm leads." },
  );
  await page.getByText("Speaking…").first().waitFor();
  assert.match(await textOf(page.locator("aisha-voice .captions")), /Show me my warm leads You have two warm leads\./);
  await assertClean(page, "call");
});

test("a write that nobody ordered waits on the screen, is decided by its button, and the model is told", async () => {
  page = await begin(world);
  const { items } = await world.call("GET", "/api/crm/lead?name_contains=Jack%20Russel");
  const asked = await world.call("POST", "/api/ai/chat", { message: "delete the lead Jack Russel" });
  world.fail(TOOLS, answered({ status: "needs_confirmation", output: "{}", confirmation: asked.confirmation }));
  await speak(page, "item_1", "Delete Jack Russel");
  await call({ name: "delete_lead", arguments: JSON.stringify({ lead_id: items[0].id }) });
  const question = page.locator("aisha-voice aisha-confirmation");
  await question.waitFor();
  await assertClean(page, "call with a question");
  await question.getByRole("button", { name: "Yes, delete" }).click();
  await question.waitFor({ state: "detached" });
  const told = (await sent("conversation.item.create")).at(-1).item;
  assert.match(told.content[0].text, /deleted/);
  assert.deepEqual(
    (await heard(page, "recordchanged")).map((one) => one.action),
    ["deleted"],
  );
});

test("how long an answer took is shown, and recorded for the analytics", async () => {
  page = await begin(world);
  await speak(page, "item_1", "How many warm leads do I have?");
  await tell(
    page,
    { type: "response.output_audio_transcript.delta", item_id: "item_2", delta: "Eleven." },
    { type: "output_audio_buffer.started" },
    { type: "response.done" },
  );
  await page
    .locator("aisha-voice")
    .getByText(/in total/)
    .waitFor();
  const [{ commandName, success, timing }] = await world.awaited("POST /api/ai/analytics");
  assert.deepEqual(
    [commandName, success, Object.keys(timing).sort()],
    ["voice_turn", true, ["llmMs", "sttMs", "totalMs", "ttsMs"]],
  );
  const { performanceMetrics } = await world.call("GET", "/api/ai/analytics?commandName=voice_turn");
  assert.equal(typeof performanceMetrics.avgTtsMs, "number");
});

test("the voice of a spoken conversation is chosen in the settings", async () => {
  const models = await world.call("GET", "/api/ai/models");
  world.fail(VOICES, { ...json({ ...models, realtimeVoices: ["marin", "cedar"] }), times: 9 });
  page = await world.open();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Voice in spoken conversations").selectOption("Cedar");
  await assertClean(page, "settings with voices");
  await page.reload();
  world.fail(SESSION, { status: 402, body: problem(402, "budget_exceeded", "The monthly budget is used up.") });
  const asked = page.waitForRequest(/\/api\/ai\/realtime\?/);
  await page.getByRole("button", { name: "Talk with the assistant" }).click();
  assert.equal(new URL((await asked).url()).searchParams.get("voice"), "cedar");
});

test("mute silences the microphone, and the end of a call stops it and gives the message box back", async () => {
  page = await begin(world);
  const isOn = () => page.evaluate(() => window.peer.track.enabled);
  assert.equal(await isOn(), true);
  await page.getByRole("button", { name: "Mute the microphone" }).click();
  assert.equal(await isOn(), false);
  await page.getByText("The microphone is off").waitFor();
  await page.locator("aisha-voice").getByRole("button", { name: "End" }).click();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  assert.equal(await page.evaluate(() => window.peer.track.readyState), "ended");
});

test("a call that breaks says so, and typing goes on", async () => {
  page = await begin(world);
  await page.evaluate(() => {
    window.peer.connectionState = "failed";
    window.peer.onconnectionstatechange();
  });
  await page.getByText("The spoken conversation broke off.").waitFor();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await assertClean(page, "call lost");
});

test("a budget that is used up is told in words before a call begins", async () => {
  const models = await world.call("GET", "/api/ai/models");
  world.fail(VOICES, { ...json({ ...models, realtimeVoices: ["marin"] }), times: 9 });
  page = await world.open();
  world.fail(SESSION, { status: 402, body: problem(402, "budget_exceeded", "The monthly budget is used up.") });
  await page.getByRole("button", { name: "Talk with the assistant" }).click();
  await page.getByText("The monthly budget is used up.").waitFor();
});

test("a deployment without voice offers no call", async () => {
  page = await world.open();
  await page.waitForLoadState("networkidle");
  assert.equal(await page.getByRole("button", { name: "Talk with the assistant" }).count(), 0);
});
