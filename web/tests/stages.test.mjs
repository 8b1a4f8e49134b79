// The desk of a tenant whose records are in another CRM, with stages of its own.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { until, World } from "./harness.mjs";
import { assertClean, say, textOf } from "./talk.mjs";

const STAGES = ["Discovery call", "Technical fit", "Legal review", "Procurement", "Signed", "Walked away"];

let world;
let page;
before(async () => {
  world = await World.start({ isConnected: true });
  const isLoaded = async () => (await world.call("GET", "/api/crm/opportunity?status=signed").catch(() => null))?.total;
  await until(isLoaded, "a first load of the CRM");
});
after(() => world?.stop());
afterEach(() => page?.context().close());

async function openDesk(path) {
  page = await world.open({ page: `../desk/#/${path}`, width: 1440, height: 900 });
  await page.locator("desk-changes").waitFor({ state: "attached" });
}

const column = (stage) => page.locator(`desk-board section[aria-label^="${stage},"]`);
const card = (stage, name) => column(stage).locator("a.card").filter({ hasText: name });

test("the board has the team's stages in their order, and a deal is dropped on one of them", async () => {
  await openDesk("opportunities");
  await card("Legal review", "Hooli renewal").waitFor();
  const titles = await page.locator("desk-board section").evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(
    titles.map((title) => title.replace(/, \d+$/, "")),
    STAGES,
  );
  await assertClean(page, "desk-stages", "html");
  for (const stage of STAGES) {
    const { x, width } = await column(stage).boundingBox();
    assert.ok(x + width <= 1040, `${stage} is in sight: ${x + width}`);
  }
  await card("Discovery call", "Globex pilot").dragTo(column("Procurement"));
  await card("Procurement", "Globex pilot").waitFor();
  assert.match(
    await card("Procurement", "Globex pilot").innerText(),
    /You moved Globex pilot from Discovery call to Procurement/,
  );
});

test("a deal moved by words between two stages that count alike is seen to move", async () => {
  await openDesk("opportunities");
  await card("Legal review", "Hooli renewal").waitFor();
  await say(page, "Move Hooli renewal to Procurement");
  await card("Procurement", "Hooli renewal").waitFor();
  assert.match(
    await card("Procurement", "Hooli renewal").innerText(),
    /You moved Hooli renewal from Legal review to Procurement/,
  );
});

test("the overview's pipeline has the team's open stages alone", async () => {
  await openDesk("");
  const chart = page.locator("desk-dashboard desk-chart");
  await chart.waitFor();
  const text = await textOf(chart);
  for (const stage of STAGES) assert.equal(text.includes(stage), !["Signed", "Walked away"].includes(stage), text);
});

test("a deal's page shows its stage by the team's name and offers the team's stages", async () => {
  await openDesk("opportunities");
  await card("Technical fit", "Initech rollout").click();
  const record = page.locator("desk-record");
  await record.getByText("Technical fit", { exact: true }).first().waitFor();
  assert.deepEqual(await record.getByLabel("Move to").locator("option").allInnerTexts(), STAGES);
  await record.getByLabel("Move to").selectOption("Legal review");
  await record.getByText("You moved Initech rollout from Technical fit to Legal review").waitFor();
});

test("a record has the team's own fields on its page, and a change of one is told by its name", async () => {
  const { admin } = await world.call("GET", "/api/ai/profile");
  const field = { name: "sales_region", values: ["North", "South"], writable: true };
  await world.call("PATCH", "/api/ai/profile", { customFields: { opportunity: [field] }, version: admin.version });
  const { items } = await world.call("GET", "/api/crm/opportunity?limit=50");
  const deal = items.find((one) => one.name === "Hooli renewal");
  await openDesk(`opportunities/${deal.id}`);
  await page.locator("desk-record h1").waitFor();
  await say(page, "Set the sales region of Hooli renewal to North");
  const record = page.locator("desk-record");
  await record.locator("dt", { hasText: "Sales region" }).waitFor();
  await record.locator("dd", { hasText: "North" }).waitFor();
  assert.match(await textOf(record), /You changed .*Hooli renewal.*sales region|You changed the sales region/i);
});
