import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "./harness.mjs";
import { CHAT, confirmation, problem, stream, text } from "./streams.mjs";
import { assertClean, heard, last, say, settled, textOf, write } from "./talk.mjs";

const world = await startWorld();
let page;

const STATUSES = [
  [402, problem(402, "budget_exceeded", "The monthly budget is used up."), /budget is used up/, false],
  [403, problem(403, "permission_denied", "You may not use the assistant."), /may not use the assistant/, false],
  [404, problem(404, "not_found"), /no longer exists/, false],
  [409, problem(409, "conflict", "It was changed meanwhile."), /changed meanwhile/, true],
  [410, problem(410, "gone", "This has expired."), /has expired/, false],
  [413, problem(413, "payload_too_large", "The request is too large."), /too large/, false],
  [422, problem(422, "invalid_input", "The time zone is unknown."), /time zone is unknown/, false],
  [500, problem(500, "internal_error"), /went wrong on our side/, true],
  [501, problem(501, "not_set_up", "No model is set up."), /No model is set up/, true],
];
for (const [status, body, words, canRetry] of STATUSES) {
  test(`a ${status} is told in words, with what to do`, async () => {
    page = await world.open();
    world.fail(CHAT, { status, body });
    const answer = await say(page, "Show me my warm leads");
    assert.match(answer, words);
    assert.match(answer, /Reference for your admin: req-1/);
    const retry = last(page).getByRole("button", { name: "Try again" });
    assert.equal(await retry.count(), canRetry ? 1 : 0);
    await assertClean(page, `error ${status}`);
    if (canRetry) {
      await retry.click();
      await last(page).getByText("Based on").or(last(page).getByText("You could ask")).first().waitFor();
      assert.match(await settled(page), /warm/i);
      const keys = world.requests.filter((one) => CHAT.test(one.name)).map((one) => one.headers["idempotency-key"]);
      assert.equal(new Set(keys).size, 1);
    }
  });
}

test("a sign-in that has run out costs one call of token and one more request", async () => {
  page = await world.open();
  world.fail(CHAT, { status: 401, body: problem(401, "unauthenticated") });
  assert.match(await say(page, "Show me my warm leads"), /warm/i);
  assert.deepEqual(await page.evaluate(() => window.tokens), [false, true]);
  assert.equal(world.requests.filter((one) => CHAT.test(one.name)).length, 2);
});

test("a sign-in that can't be renewed is told, and the message can be sent again", async () => {
  page = await world.open();
  world.fail(CHAT, { status: 401, body: problem(401, "unauthenticated"), times: 2 });
  assert.match(await say(page, "Show me my warm leads"), /sign-in has run out/);
  assert.equal(world.requests.filter((one) => CHAT.test(one.name)).length, 2);
  await last(page).getByRole("button", { name: "Try again" }).click();
  await last(page).getByText("You could ask").waitFor();
});

test("too many requests are counted down before the next try", async () => {
  page = await world.open();
  world.fail(CHAT, { status: 429, headers: { "retry-after": "7" }, body: problem(429, "rate_limited") });
  const answer = await say(page, "Show me my warm leads");
  assert.match(answer, /Please wait a moment/);
  const button = last(page).getByRole("button", { name: /Try again in [567] s/ });
  await button.waitFor();
  assert.ok(await button.isDisabled());
  await assertClean(page, "429");
  await last(page).getByRole("button", { name: "Try again", exact: true }).click();
  await last(page).getByText("You could ask").waitFor();
});

test("an unavailable API is asked again by itself, under the same key", async () => {
  page = await world.open();
  world.fail(CHAT, { status: 503, body: problem(503, "unavailable", "", { retryable: true }), times: 2 });
  assert.match(await say(page, "create a lead Max Muster at Foo AG"), /Max Muster/);
  const keys = world.requests.filter((one) => CHAT.test(one.name)).map((one) => one.headers["idempotency-key"]);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test("a page of HTML instead of an answer is recognised, with 200 and with 502", async () => {
  page = await world.open();
  const html = {
    headers: { "content-type": "text/html" },
    body: "<html><script>alert(1)</script>Please sign in</html>",
  };
  world.fail(CHAT, { status: 200, ...html });
  assert.match(await say(page, "Show me my warm leads"), /answered in its place/);
  world.fail(CHAT, { status: 502, ...html, times: 3 });
  assert.match(await say(page, "Show me my warm leads"), /went wrong on our side/);
  await assertClean(page, "html");
});

/** The kinds of events in the streams of the API. */
const EVENTS = [
  "start",
  "start-step",
  "data-status",
  "tool-input-start",
  "tool-input-available",
  "tool-output-available",
  "finish-step",
  "text-start",
  "text-delta",
  "text-end",
  "data-entities",
  "data-conclusions",
  "data-mood",
  "data-followups",
  "data-usage",
];

test("the kinds of events at which a stream is cut below are all there are", async () => {
  const kinds = new Set();
  for (const message of ["create a lead Max Muster at Foo AG", "delete the lead Jack Russel"]) {
    const streamed = await world.call("POST", "/api/ai/chat", { message }, "alice", "text/event-stream");
    for (const [, data] of streamed.matchAll(/^data: (\{.*\})$/gm)) kinds.add(JSON.parse(data).type);
  }
  assert.deepEqual([...kinds].sort(), [...EVENTS, "data-confirmation", "finish"].sort());
});

for (const event of EVENTS) {
  test(`a stream that is cut at ${event} resumes, and nothing is written twice`, async () => {
    page = await world.open();
    world.fail(CHAT, { cutAfter: `"type":"${event}"` });
    const answer = await say(page, "create a lead Max Muster at Foo AG");
    // An attempt that goes on without its client may have created the lead before the resumed one looks for it.
    assert.equal(answer.match(/created the lead Max Muster|already a lead called Max Muster/g)?.length, 1, answer);
    const { items } = await world.call("GET", "/api/crm/lead?name_contains=Max%20Muster");
    assert.equal(items.filter((item) => item.display_name === "Max Muster").length, 1);
    const keys = world.requests.filter((one) => CHAT.test(one.name)).map((one) => one.headers["idempotency-key"]);
    assert.ok(keys.length >= 2);
    assert.equal(new Set(keys).size, 1);
  });
}

test("a question whose stream is cut waits once, and its yes runs once", async () => {
  page = await world.open();
  world.fail(CHAT, { cutAfter: '"type":"data-confirmation"' });
  await say(page, "delete the lead Jack Russel");
  assert.equal(await page.getByRole("button", { name: "Yes, delete" }).count(), 1);
  world.fail(/flow-chat/, { cutAfter: '"type":"text-delta"' });
  await page.getByRole("button", { name: "Yes, delete" }).click();
  await page.getByText("You agreed.").waitFor();
  assert.match(await settled(page), /deleted/i);
  const { items } = await world.call("GET", "/api/crm/changes");
  assert.equal(items.filter((item) => item.action === "deleted").length, 1);
});

test("over a slow mobile network everything comes, and the panel says that it works", async () => {
  page = await world.open();
  const session = await page.context().newCDPSession(page);
  const speed = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 25_000 };
  await session.send("Network.emulateNetworkConditions", speed);
  await page.reload();
  await page.getByText("What can I do for you?").waitFor();
  await write(page, "Show me my warm leads");
  await page.getByText("Working…").waitFor();
  assert.match(await settled(page), /warm/i);
  await assertClean(page, "slow network");
});

test("a connection that breaks for good ends the processing state and keeps the message", async () => {
  page = await world.open();
  world.fail(CHAT, { drop: true, times: 20 });
  assert.match(await say(page, "Show me my warm leads"), /can’t be reached/);
  world.faults = [];
  await last(page).getByRole("button", { name: "Try again" }).click();
  await last(page).getByText("You could ask").waitFor();
});

test("what is sent offline waits and is sent when the connection is back", async () => {
  page = await world.open();
  await say(page, "How does my pipeline look?");
  await page.context().setOffline(true);
  await page.getByText("You are offline. What you send waits until you are back.").waitFor();
  assert.match(await say(page, "Show me my warm leads"), /sent as soon as you are back/);
  assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
  await assertClean(page, "offline");
  await page.context().setOffline(false);
  await last(page).getByText("Based on").waitFor();
  assert.equal(await page.locator("aisha-message").count(), 4);
});

test("a choice has a button for each record, and none of them", async () => {
  page = await world.open();
  const question = confirmation({
    confirmationType: "select",
    question: "Which **Erik** do you mean?",
    isDestructive: true,
    tool: "delete_lead",
    arguments: {},

    alternatives: [
      { label: "Erik Berg (Nordic AB, Oslo)", value: "lead_1" },
      { label: "Erik Lund (Fjord AS, Bergen)", value: "lead_2" },
    ],
  });
  world.fail(CHAT, stream(...text("Which Erik?"), question));
  await say(page, "delete Erik");
  await assertClean(page, "select");
  world.fail(/flow-chat/, {
    status: 410,
    body: problem(410, "gone", "This confirmation was used or has expired."),
  });
  await last(page)
    .getByRole("button", { name: /Erik Lund/ })
    .click();
  await page.getByText("This question is closed.").waitFor();
  const [{ userConfirmation, confirmationId, choice }] = world.sent("POST /api/ai/flow-chat");
  assert.deepEqual([userConfirmation, confirmationId, choice], [true, "conf_1", "lead_2"]);
});

test("a question that runs out says so, and can be asked again", async () => {
  page = await world.open();
  const question = confirmation({
    arguments: { lead_ids: ["lead_1", "lead_2"], status: "warm" },
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const entities = [
    ["lead_1", "Ann Lee"],
    ["lead_2", "Bo Ek"],
  ].map(([id, name]) => ({ id, name, type: "lead", aliases: [] }));
  world.fail(CHAT, stream({ type: "data-entities", data: entities }, question));
  await say(page, "make both warm");
  assert.match(await textOf(last(page).locator("aisha-confirmation")), /Lead Ann Lee Bo Ek Status warm/);
  await page.evaluate(() => {
    const real = Date.now;
    Date.now = () => real() + 3_600_000;
  });
  await page.getByText("The time to decide has run out. Nothing was done.").waitFor();
  await assertClean(page, "expired");
  world.fail(CHAT, stream(...text("Asked again.")));
  await page.getByRole("button", { name: "Ask again" }).click();
  await last(page).getByText("Asked again.").waitFor();
});

test("a turn that fails midway keeps what was shown and offers to go on", async () => {
  page = await world.open();
  const fault = stream(...text("I have looked at"));
  fault.body = fault.body.replace(
    /data: \{"type":"finish".*\n\ndata: \[DONE\]/,
    `data: ${JSON.stringify({ type: "error", errorText: "x" })}\n\ndata: ${JSON.stringify({ type: "finish", messageMetadata: { status: "failed", error: problem(504, "deadline_exceeded") } })}\n\ndata: [DONE]`,
  );
  world.fail(CHAT, { ...fault, times: 1 });
  const answer = await say(page, "Tell me everything");
  assert.match(answer, /I have looked at/);
  assert.match(answer, /took too long/);
});

test("a page without storage works, and says nothing about it", async () => {
  page = await world.open();
  await page.addInitScript(() => {
    // Some browsers refuse it with the storage.
    window.BroadcastChannel = class {
      constructor() {
        throw new DOMException("denied", "SecurityError");
      }
    };
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.reload();
  assert.match(await say(page, "Show me my warm leads"), /warm/i);
  await assertClean(page, "without storage");
});

test("no token is stored anywhere in the browser", async () => {
  page = await world.open();
  await say(page, "Show me my warm leads");
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  assert.doesNotMatch(stored, /eyJ/);
});
