import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "./harness.mjs";
import { CHAT, confirmation, stream, text } from "./streams.mjs";
import { assertClean, assertSteady, last, note, say, settled, textOf, write } from "./talk.mjs";

const world = await startWorld();
let page;

const GREETINGS = {
  en: "What can I do for you?",
  de: "Was kann ich für Sie tun?",
  es: "¿Qué puedo hacer por usted?",
  fr: "Que puis-je faire pour vous ?",
};

for (const [locale, greeting] of Object.entries(GREETINGS)) {
  test(`the panel speaks ${locale}, and its buttons are understood`, async () => {
    page = await world.open({ query: `?locale=${locale}` });
    await page.getByText(greeting).waitFor();
    assert.equal(await page.locator(".panel").getAttribute("lang"), locale);
    await page.waitForLoadState("networkidle");
    await page.locator("aisha-welcome button").nth(2).click();
    await last(page).locator(".footer").waitFor();
    assert.match(await textOf(last(page)), /\$/);
    await assertClean(page, locale);
  });
}

for (const theme of ["midnight", "light", "system"]) {
  test(`the theme ${theme} has enough contrast in every state`, async () => {
    page = await world.open({ query: `?theme=${theme}`, colorScheme: "light" });
    await assertClean(page, `welcome ${theme}`);
    await say(page, "Tell me about Jack Russel");
    await assertClean(page, `answer ${theme}`);
    await say(page, "delete him");
    await assertClean(page, `confirmation ${theme}`);
    world.fail(CHAT, { status: 500 });
    await say(page, "Show me my warm leads");
    await assertClean(page, `error ${theme}`);
    const dark = theme === "midnight";
    assert.equal(await page.locator("aisha-assistant").getAttribute("data-theme"), dark ? "midnight" : "light");
  });
}

test("a right-to-left locale mirrors the panel, and texts keep their own direction", async () => {
  page = await world.open({ query: "?locale=ar" });
  assert.equal(await page.locator(".panel").getAttribute("dir"), "rtl");
  await say(page, "Tell me about Jack Russel");
  const { x: send } = await page.locator(".send").boundingBox();
  const { x: box } = await page.getByRole("textbox").boundingBox();
  assert.ok(send < box, "the button stands left of the box");
  await say(page, "احذف كل شيء");
  await assertClean(page, "right to left");
});

test("English words in a right-to-left panel keep their order, at the panel's start", async () => {
  page = await world.open({ query: "?locale=ar" });
  const welcome = page.locator("aisha-welcome p");
  await welcome.waitFor();
  const { lastWord, fullStop, panel, start } = await welcome.evaluate((paragraph) => {
    const node = [...paragraph.childNodes].find((one) => one.nodeType === Node.TEXT_NODE);
    const boxOf = (from, to) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return range.getClientRects()[0];
    };
    const end = node.length;
    const { right } = paragraph.getBoundingClientRect();
    return { lastWord: boxOf(end - 2, end - 1), fullStop: boxOf(end - 1, end), panel: right, start: boxOf(0, 3) };
  });
  assert.ok(fullStop.left >= lastWord.right - 1, "the full stop stands after the last word");
  assert.ok(panel - start.right > 20 && panel - lastWord.right >= 0);
  const label = await page.locator("aisha-welcome h3").evaluate((one) => getComputedStyle(one).textAlign);
  assert.equal(label, "right");
});

test("a name of 500 characters, one without a space, and Arabic keep the panel's width", async () => {
  page = await world.open({ width: 400 });
  for (const name of ["Wolfeschlegelsteinhausen ".repeat(20), "x".repeat(500), "محمد ".repeat(100)]) {
    const source = { type: "lead", id: "lead_1", name, description: name };
    const parts = [
      { type: "data-conclusions", data: { sources: [source], insights: [name], nextSteps: [], recommendedScans: [] } },
      { type: "data-followups", data: [{ text: `Call ${name}`, icon: "📞" }] },
      ...text(`**${name}** | \`${name}\``),
    ];
    world.fail(CHAT, stream(...parts, confirmation({ question: name, arguments: { lead_id: "lead_1", name } })));
    await say(page, name);
    const frame = page.getByRole("log");
    const overflow = await frame.evaluate((one) => one.scrollWidth - one.clientWidth);
    assert.ok(overflow <= 0, `${overflow} px too wide for ${name.slice(0, 20)}`);
  }
  await assertClean(page, "long names");
});

test("at 200% zoom and on a phone everything can be reached", async () => {
  page = await world.open({ width: 320, height: 400, hasTouch: true });
  await say(page, "delete the lead Jack Russel");
  const yes = page.getByRole("button", { name: "Yes, delete" });
  await yes.scrollIntoViewIfNeeded();
  const box = await yes.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 320);
  await assertClean(page, "phone");
});

for (const width of [400, 360]) {
  test(`what is shown stays in its place while an answer streams and a question comes: ${width} px`, async () => {
    page = await world.open({ page: "full.html", width, height: 700 });
    const lines = Array.from({ length: 20 }, (_, place) => `${place + 1}. **Deal ${place}** closes soon\n`);
    const step = { toolCallId: "call_1", toolName: "search_leads" };
    const steps = [
      { type: "tool-input-available", ...step, input: { query: "Jack" } },
      { type: "tool-output-available", ...step, output: { total: 1 } },
    ];
    const source = { type: "lead", id: "lead_1", name: "Jack Russel", description: "Lead" };
    const conclusions = { sources: [source], insights: ["Nobody has called"], nextSteps: [], recommendedScans: [] };
    const findings = [
      { type: "data-conclusions", data: conclusions },
      { type: "data-followups", data: [{ text: "Call Jack", icon: "📞" }] },
    ];
    const order = { tool: "delete_lead", arguments: { lead_id: "lead_1" }, isDestructive: true };
    const question = confirmation({ question: "Delete Jack Russel?", ...order });
    for (const parts of [
      [...lines.flatMap(text), ...steps, ...findings],
      [...steps, ...lines.flatMap(text), question],
    ]) {
      const release = world.hold(CHAT);
      Object.assign(world.faults.at(-1), stream(...parts), { paceMs: 20 });
      await write(page, "What is going on?");
      // What moves within half a second of a key is the user's own doing.
      await page.waitForTimeout(600);
      release();
      await settled(page);
    }
    await page.getByRole("button", { name: "Yes, delete" }).waitFor();
    await assertSteady(page, `an answer at ${width} px`);
  });
}

for (const isMobile of [false, true]) {
  const what = isMobile ? "on a touch screen it stays closed" : "the box has the focus";
  test(`after a button that goes away with its answer ${what}`, async () => {
    page = await world.open({ isMobile, hasTouch: isMobile });
    await say(page, "Tell me about Jack Russel");
    const box = page.getByRole("textbox", { name: "Message" });
    const hasFocus = () => box.evaluate((one) => one.matches(":focus"));
    await box.blur();
    await last(page).locator(".follow-up").first().press("Enter");
    await page.locator("aisha-message").nth(3).waitFor();
    await settled(page);
    assert.equal(await hasFocus(), !isMobile);
    await page.getByRole("button", { name: "Conversations" }).click();
    await page.getByRole("searchbox").waitFor();
    assert.equal(await page.getByRole("searchbox").evaluate((one) => one.matches(":focus")), !isMobile);
  });
}

test("a finished answer is announced once, and nothing while it streams", async () => {
  page = await world.open();
  await page.evaluate(() => {
    window.said = [];
    const region = document.querySelector("aisha-assistant").shadowRoot.querySelector("[aria-live]");
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  await say(page, "How does my pipeline look?");
  const said = await page.evaluate(() => window.said);
  assert.equal(said.length, 1, said.join(" | "));
  assert.match(said[0], /open deals/);
});

test("while an answer comes, a reader of earlier messages is left alone", async () => {
  page = await world.open({ height: 600 });
  for (const question of ["How does my pipeline look?", "Show me my warm leads"]) await say(page, question);
  const release = world.hold(CHAT);
  await write(page, "What is on my plate today?");
  await page.locator("aisha-transcript .scroll").evaluate((one) => (one.scrollTop = 0));
  await page.getByRole("button", { name: "To the newest message" }).waitFor();
  const first = page.locator("aisha-message").first();
  const before = await first.boundingBox();
  release();
  await settled(page);
  assert.deepEqual(await first.boundingBox(), before);
  await page.getByRole("button", { name: "To the newest message" }).click();
  await last(page).locator(".follow-up").last().waitFor();
  assert.notDeepEqual(await first.boundingBox(), before);
});

test("an answer longer than the panel is read from its question on, and a question to confirm is in sight", async () => {
  page = await world.open({ height: 600 });
  await say(page, "How does my pipeline look?");
  await say(page, "Show me my open deals");
  const inSight = (locator) => locator.evaluate((one) => one.getBoundingClientRect().top);
  const asked = await inSight(page.locator("aisha-message").nth(2));
  assert.ok(asked > 40 && asked < 120, `the question stands at ${asked} px`);
  await page.getByRole("button", { name: "To the newest message" }).click();
  const chips = last(page).locator(".section").first().getByRole("button");
  assert.equal(await chips.count(), 5);
  await chips.last().click();
  assert.equal(await chips.count(), 10);
  await say(page, "delete the lead Jack Russel");
  assert.ok((await inSight(page.getByRole("button", { name: "Yes, delete" }))) < 560);
});

test("a list goes on with its number, and figures stand at the end of their column", async () => {
  page = await world.open();
  world.fail(CHAT, stream(...text("11. Eleven\n12. Twelve\n\n| Deal | Amount |\n|---|---:|\n| A | 10 |")));
  await say(page, "show more");
  assert.equal(await last(page).locator("ol").getAttribute("start"), "11");
  assert.equal(
    await last(page)
      .locator("td")
      .last()
      .evaluate((one) => getComputedStyle(one).textAlign),
    "end",
  );
});

test("the first text is drawn within a tenth of a second", async () => {
  page = await world.open({ page: "full.html" });
  const times = [];
  for (let round = 0; round < 9; round += 1) {
    await page.reload();
    await page.getByText("What can I do for you?").waitFor();
    times.push(
      await page.evaluate(() => {
        const [{ startTime }] = performance.getEntriesByName("first-contentful-paint");
        const scripts = performance.getEntriesByType("resource").filter(({ name }) => /assistant|parts/.test(name));
        return (
          startTime - Math.max(...scripts.filter((one) => one.responseEnd < startTime).map((one) => one.responseEnd))
        );
      }),
    );
  }
  const [best, median] = [0, 4].map((place) => times.toSorted((one, other) => one - other)[place]);
  await note(
    `first text: ${best.toFixed(0)} ms after its script has loaded, ${median.toFixed(0)} ms in the median of 9`,
  );
  // The best of them: the others say how busy the machine is.
  assert.ok(best < 100, `${best} ms`);
});

test("500 messages scroll within the time of a frame", async () => {
  page = await world.open({ reducedMotion: "no-preference" });
  await say(page, "Show me my warm leads");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  // The processor time of the page's main thread: the frames that a busy machine shows say nothing about the page.
  const busyMs = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find((one) => one.name === "ThreadTime").value * 1000;
  };
  await page.locator("aisha-transcript").evaluate(async (transcript) => {
    const [asked, answered] = transcript.messages;
    transcript.messages = Array.from({ length: 250 }, (_, place) => [
      { ...asked, key: `u${place}` },
      { ...answered, key: `a${place}` },
    ]).flat();
    await transcript.updateComplete;
    window.frame = transcript.shadowRoot.querySelector(".scroll");
    window.frame.scrollTop = 0;
    for (let step = 0; step < 30; step += 1) await new Promise(requestAnimationFrame);
  });
  const before = await busyMs();
  const frames = await page.evaluate(async () => {
    for (let step = 0; step < 120; step += 1) {
      await new Promise(requestAnimationFrame);
      window.frame.scrollTop += 120;
    }
    return 120;
  });
  const each = (await busyMs()) - before;
  await note(`500 messages: ${(each / frames).toFixed(1)} ms of work for a frame of 16.7 ms`);
  assert.ok(each / frames < 16.7, `${(each / frames).toFixed(1)} ms`);
});
