import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld, until } from "./harness.mjs";
import { assertClean, last, say, settled } from "./talk.mjs";

const world = await startWorld();
let page;

/** Replace the browser's recognition, which needs a service elsewhere, and its voice by ones that tell what they do. */
async function withVoice(outcome) {
  page = await world.open();
  await page.addInitScript((heard) => {
    window.spoken = [];
    window.SpeechRecognition = window.webkitSpeechRecognition = class extends EventTarget {
      start() {
        const result = (text) =>
          this.dispatchEvent(
            Object.assign(new Event("result"), { results: [{ 0: { transcript: text }, isFinal: false }] }),
          );
        if (heard.text) setTimeout(() => result(heard.text.split(" ")[0]), 20);
        if (heard.text) setTimeout(() => result(heard.text), 60);
        if (heard.error)
          setTimeout(() => {
            this.dispatchEvent(Object.assign(new Event("error"), { error: heard.error }));
            this.dispatchEvent(new Event("end"));
          }, 20);
      }
      stop() {
        setTimeout(() => this.dispatchEvent(new Event("end")), 10);
      }
    };
    speechSynthesis.speak = (utterance) => {
      window.spoken.push(utterance.text);
      setTimeout(() => utterance.onstart?.(), 10);
      setTimeout(() => utterance.onend?.(), 400);
    };
  }, outcome);
  await page.reload();
  return page;
}

/** Return a second of noise as a WAV file. */
function tone() {
  const rate = 8000;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + rate, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(rate, 40);
  return Buffer.concat([header, Buffer.from(Array.from({ length: rate }, (_, place) => (place * 7919) % 256))]);
}

test("holding the button listens with captions, and releasing it sends what was heard", async () => {
  await withVoice({ text: "show me my warm leads" });
  const button = page.getByRole("button", { name: "Hold to talk" });
  await button.hover();
  await page.mouse.down();
  await page.getByText("Listening…").waitFor();
  await assertClean(page, "listening");
  const box = page.getByRole("textbox", { name: "Message" });
  await until(async () => (await box.inputValue()) === "show me my warm leads", "the words in the box");
  await page.mouse.up();
  await last(page).locator(".footer").waitFor();
  assert.match(await settled(page), /warm/i);
  assert.equal(world.sent("POST /api/ai/chat")[0].message, "show me my warm leads");
});

test("a microphone that is refused is told in words, and typing still works", async () => {
  await withVoice({ error: "not-allowed" });
  await page.getByRole("button", { name: "Hold to talk" }).hover();
  await page.mouse.down();
  await page.getByText("The microphone can’t be used.").waitFor();
  await page.mouse.up();
  await assertClean(page, "refused microphone");
  assert.match(await say(page, "Show me my warm leads"), /warm/i);
});

test("an answer is read by the browser's voice where the deployment has none, and can be stopped", async () => {
  await withVoice({});
  await say(page, "How does my pipeline look?");
  await last(page).getByRole("button", { name: "Read aloud" }).click();
  await page.getByText("Speaking…").waitFor();
  await page.getByText("Ready").waitFor();
  const [spoken] = await page.evaluate(() => window.spoken);
  assert.match(spoken, /open deals/);
  assert.doesNotMatch(spoken, /\*/);
  const [recorded] = await world.awaited("POST /api/ai/analytics");
  assert.ok(recorded.timing.ttsMs > 0);
  await last(page).locator(".when[title*=' voice']").waitFor();
  await last(page).getByRole("button", { name: "Read aloud" }).click();
  await last(page).getByRole("button", { name: "Stop reading" }).click();
  await page.getByText("Ready").waitFor();
});

test("an answer is read by the deployment's voice, and the mark moves with its loudness", async () => {
  page = await world.open({ reducedMotion: "no-preference" });
  await say(page, "How does my pipeline look?");
  world.fail(/POST \/api\/ai\/speech/, { status: 200, headers: { "content-type": "audio/wav" }, body: tone() });
  const level = () =>
    page.locator("aisha-assistant").evaluate((one) => Number(one.style.getPropertyValue("--aisha-level")));
  await last(page).getByRole("button", { name: "Read aloud" }).click();
  await until(async () => (await level()) > 0, "a voice that is heard");
  await page.getByText("Ready").waitFor();
  assert.equal(await level(), 0);
  const [{ text, locale }] = world.sent("POST /api/ai/speech");
  assert.match(text, /open deals/);
  assert.equal(locale, "en");
  assert.ok((await world.awaited("POST /api/ai/analytics"))[0].timing.ttsMs > 0);
  assert.deepEqual(page.errors, []);
});

test("the panel's switch reads answers by themselves, and is silent at once", async () => {
  await withVoice({});
  const read = page.getByRole("button", { name: "Read answers aloud" });
  await read.click();
  await say(page, "How does my pipeline look?");
  await page.waitForFunction(() => window.spoken.length === 1);
  await read.click();
  assert.equal(await read.getAttribute("aria-pressed"), "false");
  await page.getByText("Ready").waitFor();
  await say(page, "Show me my warm leads");
  assert.equal(await page.evaluate(() => window.spoken.length), 1);
});

test("answers are read by themselves when the user wants it", async () => {
  await withVoice({});
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("checkbox", { name: "Read answers aloud" }).check();
  await page.getByRole("button", { name: "Settings" }).click();
  await say(page, "How does my pipeline look?");
  await page.waitForFunction(() => window.spoken.length === 1);
});
