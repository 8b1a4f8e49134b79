// Draws each state of the assistant into web/screenshots. usage: node tests/screenshots.mjs
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, World } from "./harness.mjs";
import { CHAT, confirmation, problem, stream, text } from "./streams.mjs";
import { begin, speak, tell } from "./peer.mjs";
import { beginAnew, last, say, settled, write } from "./talk.mjs";

const OUT = join(ROOT, "web", "screenshots");

const ERIKS = [
  { label: "Erik Berg, Nordic AB, Oslo: warm, last contacted 3 days ago", value: "lead_1" },
  { label: "Erik Lund, Fjord AS, Bergen: new, never contacted", value: "lead_2" },
];
const PEOPLE = ["Aaliyah Freeman", "Lars Eriksen", "Viktor Petrescu"].map((name, place) => ({
  id: `lead_${place}`,
  type: "lead",
  name,
  aliases: [],
}));

/** The states by name: options of the page, and the steps that lead there; null, where these open the page. */
const STATES = {
  welcome: [{}, async (page) => page.getByText("Waiting for you").waitFor()],
  "first-visit": [{}, async (page) => page.locator("aisha-welcome").waitFor()],
  "next-step": [
    {},
    async (page) => {
      await page
        .locator("aisha-welcome")
        .getByRole("button", { name: /^Next step/ })
        .click();
      await last(page)
        .getByText(/I recommend/)
        .waitFor();
    },
  ],
  streaming: [
    { query: "?theme=light" },
    async (page) => {
      const { body, ...parts } = stream(...text("I found **two deals** that close this month:\n\n1. **ABC Corp Pilot"));
      world.fail(CHAT, { ...parts, body: body.split('data: {"type":"finish"')[0], holdMs: 20_000 });
      await write(page, "Which deals close this month?");
      await page.getByText("two deals").waitFor();
    },
  ],
  answer: [{}, async (page) => say(page, "Tell me about Jack Russel")],
  steps: [
    {},
    async (page) => {
      await say(page, "Tell me about Jack Russel");
      await last(page).locator("summary").first().click();
      await last(page).getByText("Searching leads").click();
    },
  ],
  working: [
    {},
    async (page) => {
      const parts = stream({
        type: "tool-input-available",
        toolCallId: "1",
        toolName: "search_opportunities",
        input: {},
      });
      world.fail(CHAT, { ...parts, body: parts.body.split('data: {"type":"finish"')[0], holdMs: 20_000 });
      await write(page, "Which deals close this month?");
      await page.getByText("Searching deals…").waitFor();
    },
  ],
  confirmation: [{}, async (page) => say(page, "delete the lead Jack Russel")],
  email: [{}, async (page) => say(page, "send an email to Jack Russel saying hello")],
  plan: [{}, async (page) => plan(page)],
  "plan-done": [
    {},
    async (page) => {
      await plan(page);
      await page.getByRole("button", { name: "Yes, do it" }).click();
      await page.getByText("You agreed.").waitFor();
      await settled(page);
    },
  ],
  "plan-light": [{ query: "?theme=light" }, async (page) => plan(page)],
  "plan-phone": [{ width: 390, height: 844 }, async (page) => plan(page)],
  "plan-right-to-left": [{ query: "?locale=ar" }, async (page) => plan(page)],
  call: [null, async () => call({})],
  "call-light": [null, async () => call({ query: "?theme=light", width: 390, height: 844 })],
  editing: [{}, async (page) => edit(page)],
  "editing-light": [{ query: "?theme=light" }, async (page) => edit(page)],
  "editing-phone": [{ width: 360, height: 640 }, async (page) => edit(page)],
  "editing-german": [{ query: "?locale=de&theme=light", width: 360, height: 640 }, async (page) => edit(page)],
  "editing-right-to-left": [{ query: "?locale=ar" }, async (page) => edit(page)],
  stopped: [
    {},
    async (page) => {
      await say(page, "Tell me about Jack Russel");
      world.hold(CHAT);
      await write(page, "How does my pipeline look?");
      await page.locator("aisha-composer .send").click();
      await last(page).locator(".mark").waitFor();
    },
  ],
  select: [
    {},
    async (page) => {
      world.fail(
        CHAT,
        stream(
          confirmation({
            confirmationType: "select",
            question: "There are two leads called **Erik**. Which one?",
            isDestructive: true,
            tool: "delete_lead",
            alternatives: ERIKS,
          }),
        ),
      );
      await say(page, "delete Erik");
    },
  ],
  bulk: [
    {},
    async (page) => {
      const args = { lead_ids: PEOPLE.map((one) => one.id), owner: "bob", due_at: "2026-11-27T09:00:00-05:00" };
      world.fail(
        CHAT,
        stream(
          { type: "data-entities", data: PEOPLE },
          confirmation({ question: "Shall I give these 3 leads to **Bob**?", tool: "bulk_update", arguments: args }),
        ),
      );
      await say(page, "give my stale leads to Bob");
    },
  ],
  undone: [
    {},
    async (page) => {
      await say(page, "delete the lead Jack Russel");
      await page.getByRole("button", { name: "Yes, delete" }).click();
      await page.getByRole("button", { name: "Undo" }).click();
      await last(page).getByText("Taken back").waitFor();
    },
  ],
  error: [
    {},
    async (page) => {
      world.fail(CHAT, { status: 429, headers: { "retry-after": "30" }, body: problem(429, "rate_limited") });
      await say(page, "Show me my warm leads");
    },
  ],
  offline: [
    {},
    async (page) => {
      await say(page, "Show me my warm leads");
      await page.context().setOffline(true);
      await say(page, "How does my pipeline look?");
    },
  ],
  markdown: [
    {},
    async (page) => {
      world.fail(CHAT, stream(...text(MARKDOWN)));
      await say(page, "Compare the quarters");
    },
  ],
  history: [
    {},
    async (page) => {
      for (const question of ["Tell me about Jack Russel", "How does my pipeline look?", "Which leads went cold?"]) {
        await say(page, question);
        await beginAnew(page);
      }
      await page.getByRole("button", { name: "Conversations" }).click();
      await page.locator("aisha-history li").first().waitFor();
    },
  ],
  settings: [
    {},
    async (page) => {
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByRole("combobox", { name: "Model" }).waitFor();
    },
  ],
  light: [{ query: "?theme=light" }, async (page) => say(page, "Tell me about Jack Russel")],
  "light-confirmation": [{ query: "?theme=light" }, async (page) => say(page, "delete the lead Jack Russel")],
  phone: [{ width: 360, height: 640 }, async (page) => say(page, "What should I do next?")],
  page: [
    { query: "?layout=fill&theme=light", width: 1000, height: 720, page: "full.html" },
    async (page) => say(page, "How does my pipeline look?"),
  ],
  "right-to-left": [
    { query: "?locale=ar" },
    async (page) => {
      await say(page, "Tell me about Jack Russel");
      await say(page, "delete him");
    },
  ],
  ...deskStates(),
  german: [{ query: "?locale=de&theme=light" }, async (page) => page.getByText("Was kann ich").waitFor()],
};

const MARKDOWN = `### Won by quarter

| Quarter | Deals | Amount | Change |
|---|---:|---:|---:|
| Q1 | 4 | $182,000 | |
| Q2 | 6 | $241,500 | **+33%** |
| Q3 | 5 | $198,200 | −18% |

Two things stand out:

1. **Q2** had the *largest* deal, see [the report](https://reports.example/q2).
2. Q3 lost one at \`negotiation\`.

> Ask for the pricing note before the next call.`;

/** The desk's pages by name, each in the dark theme, and some in the light one and on a phone. */
function deskStates() {
  const paths = {
    "": "",
    leads: "leads",
    board: "opportunities",
    activities: "activities",
    calendar: "calendar",
    settings: "settings",
    usage: "console",
    turns: "console/turns",
    analytics: "console/analytics",
    audit: "console/audit",
    tools: "console/tools",
    trust: "console/trust",
    assistant: "console/assistant",
    documents: "console/documents",
    operations: "console/operations",
  };
  const asked = [
    "How does my pipeline look?",
    "Move ABC Corp Pilot Project to negotiation",
    "Create a lead Nora Quist at Fjord AS",
  ];
  const reach = (path, theme) => async (page) => {
    if (path.startsWith("console")) for (const message of asked) await world.call("POST", "/api/ai/chat", { message });
    if (theme === "light") await page.getByRole("button", { name: "Light" }).click();
    await page.locator("desk-changes").waitFor({ state: "attached" });
    await page.evaluate((to) => void (location.hash = `#/${to}`), path);
    await page.locator("main .skeleton").first().waitFor({ state: "detached" });
    if (path === "")
      await page.locator("desk-dashboard .figure", { hasText: "…" }).first().waitFor({ state: "detached" });
    await page.waitForTimeout(700);
  };
  const screen = { page: "../desk/", width: 1440, height: 900 };
  const states = Object.entries(paths).flatMap(([name, path]) => [
    [`desk${name && `-${name}`}`, [screen, reach(path)]],
    [`desk${name && `-${name}`}-light`, [screen, reach(path, "light")]],
    [`desk${name && `-${name}`}-phone`, [{ ...screen, width: 390, height: 844 }, reach(path)]],
  ]);
  const moved = async (page) => {
    await reach("opportunities", "light")(page);
    await say(page, "Move ABC Corp Pilot Project to negotiation");
    await page.locator("a.card.marked").first().waitFor();
  };
  const opened = async (page) => {
    await reach("opportunities")(page);
    await page.locator("a.card").filter({ hasText: "ABC Corp Pilot Project" }).click();
    await page.locator("desk-record h2").first().waitFor();
  };
  const turn = async (page) => {
    await reach("console/turns")(page);
    await page.locator("desk-turns tbody a").first().click();
    await page.locator("desk-turn .call").first().waitFor();
  };
  const german = { ...screen, locale: "de-DE" };
  const mirrored = { ...screen, locale: "ar-EG" };
  return Object.fromEntries([
    ...states,
    ["desk-moved", [screen, moved]],
    ["desk-record", [screen, opened]],
    ["desk-turn", [screen, turn]],
    ["desk-german", [german, reach("console")]],
    ["desk-tools-german", [german, reach("console/tools")]],
    ["desk-right-to-left", [mirrored, reach("opportunities")]],
    ["desk-usage-right-to-left", [mirrored, reach("console")]],
  ]);
}

async function edit(page) {
  await say(page, "Which company does Jack Russel work for?");
  await page.locator("aisha-message .asked button").click();
  await page.locator("aisha-composer .editing").waitFor();
}

async function plan(page) {
  await page.locator("aisha-composer .plan").click();
  await say(page, "Convert Jack Russel to an opportunity worth 20k and plan a call tomorrow");
}

async function call(options) {
  const page = await begin(world, options);
  await speak(page, "item_1", "How many warm leads do I have?");
  const delta = "You have eleven warm leads. Jack Russel is the warmest: he asked for a call back.";
  await tell(page, { type: "response.output_audio_transcript.delta", item_id: "item_2", delta });
  return page;
}

const only = process.argv.slice(2);
const world = await World.start();
try {
  await mkdir(OUT, { recursive: true });
  for (const [name, [options, reach]] of Object.entries(STATES)) {
    if (only.length && !only.includes(name)) continue;
    await world.reset();
    if (name === "welcome") await fetch(`${world.api}/local/commands/sweep`, { method: "POST" });
    const opened = options && (await world.open(options));
    const reached = await reach(opened);
    const page = opened ?? reached;
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(OUT, `${name}.png`) });
    await page.context().close();
  }
} finally {
  await world.stop();
}
console.log(`screenshots: ${OUT}`);
