// What an admin does in the desk's console, and a user in the settings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld, until } from "./harness.mjs";
import { assertClean, catalogue, go, openDesk, say, textOf } from "./talk.mjs";

const world = await startWorld();
let page;

test("a document is added from a file, read by the assistant, and deleted after a second click", async () => {
  page = await openDesk(world, "console/documents");
  const form = page.locator("desk-documents form");
  const buffer = Buffer.from("Goods can be returned for 30 days, with the receipt.");
  await form.getByLabel("File").setInputFiles({ name: "rule-for-returns.md", mimeType: "text/markdown", buffer });
  await form.getByLabel("What it is about").fill("How long goods can be returned");
  assert.equal(await form.getByLabel("Title").inputValue(), "rule for returns");
  await form.getByRole("button", { name: "Save" }).click();
  const row = page.locator("desk-documents tbody tr").filter({ hasText: "rule for returns" });
  await row.waitFor();
  await assertClean(page, "desk-document", "html");
  assert.match(await say(page, "What is our rule for returns?"), /30 days/);
  await row.getByRole("button", { name: "Delete: rule for returns" }).click();
  await row.getByRole("button", { name: "Keep" }).click();
  await row.getByRole("button", { name: "Delete: rule for returns" }).click();
  await row.getByRole("button", { name: "Delete for good" }).click();
  await row.waitFor({ state: "detached" });
});

test("the assistant's name, its persona and the team's words are kept, and the desk speaks by them", async () => {
  page = await openDesk(world, "console/assistant");
  const form = page.locator("desk-assistant-profile form");
  await form.getByLabel("Name").fill("Ada");
  await form.getByLabel("Persona").fill("Warm\n\nNever pushy");
  await form.getByLabel("Lead").fill("prospect");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("Saved.").waitFor();
  const profile = await world.call("GET", "/api/ai/profile");
  assert.deepEqual([profile.assistantName, profile.admin.persona], ["Ada", ["Warm", "Never pushy"]]);
  await page.reload();
  await page.getByRole("link", { name: "Prospects" }).waitFor();
  await page.locator("aisha-header").getByText("Ada").waitFor();
});

test("the audit log is filtered by tool, record and status", async () => {
  await world.call("POST", "/api/ai/chat", { message: "Create a lead Nora Quist at Fjord AS" });
  await world.call("POST", "/api/ai/chat", { message: "Show me my warm leads" });
  page = await openDesk(world, "console/audit");
  const rows = page.locator("desk-audit tbody tr");
  const filter = page.getByRole("button", { name: "Filter" });
  const tools = async () => [...new Set(await rows.locator("td:nth-child(4)").allInnerTexts())];
  await rows.nth(1).waitFor();
  await page.getByLabel("Tool").fill("create_lead");
  await filter.click();
  await rows.nth(1).waitFor({ state: "detached" });
  assert.deepEqual(await tools(), ["create_lead"]);
  await rows.getByText("Arguments and records").click();
  assert.match(await rows.locator("pre").innerText(), /Quist/);
  await assertClean(page, "desk-audit-entry", "html");
  await page.getByLabel("Status").selectOption("failed");
  await filter.click();
  await page.getByText("No call fits these filters.").waitFor();
});

test("what a user sets is kept: the mode, the daily digest and its hour", async () => {
  page = await openDesk(world, "settings");
  const settings = page.locator("desk-settings");
  await settings.getByText("Two sentences at most.").click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await world.call("GET", "/api/ai/mode")).mode, "brief");
  await settings.getByLabel("Also sent by").selectOption("email");
  await settings.getByRole("combobox", { name: /^At/ }).selectOption("7");
  const stored = () => world.call("GET", "/api/ai/notifications/settings");
  await until(async () => (await stored()).digestHour === 7, "the digest at seven");
  assert.equal((await stored()).channel, "email");
  await settings.getByLabel("Also sent by").selectOption("webhook");
  await settings.getByLabel("Address of the webhook").fill("https://hooks.example/aisha");
  await settings.getByLabel("Address of the webhook").press("Enter");
  await settings.getByText("The secret of its signatures, shown only now:").waitFor();
  await assertClean(page, "desk-settings-webhook", "html");
  const { channel, webhookUrl, digestHour } = await stored();
  assert.deepEqual([channel, webhookUrl, digestHour], ["webhook", "https://hooks.example/aisha", 7]);
});

test("a browser that denies storage shows the desk, and remembers nothing", async () => {
  page = await openDesk(world);
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.reload();
  await page.getByRole("button", { name: "Light" }).click();
  await page.locator("desk-dashboard .figure").first().waitFor();
  await assertClean(page, "desk without storage", "html");
});

test("the overview has the pipeline, the goals and the next step, whose scan fills the briefing", async () => {
  page = await openDesk(world);
  const overview = page.locator("desk-dashboard");
  const { items } = await world.call("GET", "/api/crm/opportunity?limit=50");
  const open = items.filter((deal) => !deal.stage.startsWith("closed")).length;
  await overview
    .locator(".figure")
    .filter({ hasText: "Open deals" })
    .getByText(String(open), { exact: true })
    .waitFor();
  const { items: goals } = await world.call("GET", "/api/crm/goal");
  for (const goal of goals) await overview.getByRole("progressbar", { name: goal.display_name }).waitFor();
  await overview.locator("dt", { hasText: "Leads without an activity" }).waitFor();
  await overview.getByText("No scan ran in the last 24 hours.").waitFor();
  await overview.getByRole("button", { name: /Run the scan/ }).click();
  await page.getByText("The scan is done: see the briefing.").waitFor();
  await overview.getByText("No scan ran in the last 24 hours.").waitFor({ state: "detached" });
  await assertClean(page, "desk-briefing", "html");
});

test("at 200% zoom every page of the desk keeps to its width", async () => {
  page = await openDesk(world, "", { width: 720, height: 450 });
  for (const path of ["", "leads", "opportunities", "activities", "calendar", "settings", "console", "console/tools"]) {
    await go(page, path);
    await page.locator("main .skeleton").first().waitFor({ state: "detached" });
    await assertClean(page, `desk at 200% ${path}`, "html");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`);
  }
});

for (const locale of ["de-DE", "es-ES", "fr-FR"]) {
  test(`the console speaks the desk's language, and its pages keep to their width: ${locale}`, async () => {
    page = await openDesk(world, "console", { locale });
    await say(page, "Show me my warm leads");
    const [english, own] = await Promise.all(["en", locale.slice(0, 2)].map(catalogue));
    const foreign = Object.keys(english).filter((key) => english[key] !== own[key] && /\w \w/.test(english[key]));
    for (const tab of ["", "turns", "analytics", "audit", "tools", "trust", "assistant", "documents", "connections", "operations"]) {
      await go(page, `console/${tab}`);
      await page.locator("desk-console").getByRole("heading", { level: 1, name: own.console }).waitFor();
      await page.locator("main .skeleton").first().waitFor({ state: "detached" });
      const text = await textOf(page.locator("desk-console"));
      const left = foreign
        .map((key) => english[key].split("{")[0].trim())
        .filter((one) => / /.test(one) && text.includes(one));
      assert.deepEqual(left, [], `English on ${tab}`);
      await assertClean(page, `console ${locale} ${tab}`, "html");
      const [wide, room] = await page.locator("main").evaluate((one) => [one.scrollWidth, one.clientWidth]);
      assert.ok(wide <= room, `${tab}: ${wide} of ${room}`);
    }
  });
}
