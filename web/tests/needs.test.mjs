// Data that only the page has: the real local API, with a model that asks for it, over the protocol of OpenAI.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, afterEach, before, test } from "node:test";
import { World } from "./harness.mjs";
import { CHAT } from "./streams.mjs";
import { assertClean, last, say, textOf } from "./talk.mjs";

const SECTIONS = [{ id: "OPEN_INVOICES", description: "Invoices that are not paid yet" }];
const QUESTION = "Which invoices are open?";
let model;
let world;
let page;
before(async () => {
  model = createServer(async (incoming, answer) => {
    const { messages, stream } = JSON.parse(Buffer.concat(await incoming.toArray()));
    const { content, call } = answerTo(JSON.stringify(messages));
    const calls = call && [{ index: 0, id: "call_1", type: "function", function: call }];
    const message = { role: "assistant", content: content ?? null, ...(calls ? { tool_calls: calls } : {}) };
    const finish_reason = calls ? "tool_calls" : "stop";
    const chunk = { id: "chatcmpl-1", created: 1_772_442_000, model: "gpt-4o" };
    if (!stream) {
      answer.writeHead(200, { "content-type": "application/json" });
      answer.end(
        JSON.stringify({ ...chunk, object: "chat.completion", choices: [{ index: 0, message, finish_reason }] }),
      );
      return;
    }
    answer.writeHead(200, { "content-type": "text/event-stream" });
    for (const choice of [
      { index: 0, delta: message, finish_reason: null },
      { index: 0, delta: {}, finish_reason },
    ]) {
      answer.write(`data: ${JSON.stringify({ ...chunk, object: "chat.completion.chunk", choices: [choice] })}\n\n`);
    }
    answer.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));
  const settings = {
    OPENAI_API_KEY: "sk-test",
    AISHA_OPENAI_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
  };
  world = await World.start({ settings });
});
after(async () => {
  await world?.stop();
  model.closeAllConnections();
  model.close();
});
afterEach(() => page?.context().close());

/** Answer from the invoices that stand in the prompt, or ask for them where the prompt says that the page has them. */
function answerTo(prompt) {
  const number = /INV-\d+/.exec(prompt)?.[0];
  if (number) return { content: `Invoice ${number} is open.` };
  if (!/OPEN_INVOICES: Invoices that are not paid yet/.test(prompt)) return { content: "I don't see invoices." };
  const sections = [{ sectionId: "OPEN_INVOICES", reason: "they are in the page" }];
  return { call: { name: "req_more_info", arguments: JSON.stringify({ data: { sections } }) } };
}

/** Open the panel in a page that has these sections, of which it gives `data`. */
async function open(clientSections, data) {
  page = await world.open();
  await page.evaluate(
    ([sections, given]) => {
      window.asked = [];
      const element = document.querySelector("aisha-assistant");
      element.clientSections = sections;
      element.provideData = async (needs) => {
        window.asked.push(needs);
        return given && { attachedData: given };
      };
    },
    [clientSections, data],
  );
}

test("the model asks for what the page has, gets it with the same message, and answers from it", async () => {
  await open(SECTIONS, { OPEN_INVOICES: [{ number: "INV-4711" }] });
  assert.match(await say(page, QUESTION), /Invoice INV-4711 is open\./);
  const [needs, ...more] = await page.evaluate(() => window.asked);
  assert.deepEqual(more, []);
  assert.deepEqual(needs.data.sections, [{ sectionId: "OPEN_INVOICES", reason: "they are in the page" }]);
  assert.deepEqual(
    world.requests.filter(({ name }) => CHAT.test(name)).map(({ body }) => JSON.parse(body).message),
    [QUESTION, QUESTION],
  );
  await assertClean(page, "data of the page");
  await page.reload();
  await last(page).getByText("INV-4711").waitFor();
  assert.equal(await page.locator("aisha-message").count(), 2, "the question is shown once");
});

test("data that the page does not give after all is named", async () => {
  await open(SECTIONS, null);
  assert.match(await say(page, QUESTION), /has not shared: open invoices/i);
});

test("a page that has no data of its own is asked for none", async () => {
  await open([], null);
  assert.match(await say(page, QUESTION), /I don't see invoices/);
  assert.deepEqual(await page.evaluate(() => window.asked), []);
  assert.match(await textOf(page.locator("aisha-message").first()), /Which invoices/);
});
