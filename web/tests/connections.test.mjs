// What an admin sees of the connection to the team's CRM.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "./harness.mjs";
import { assertClean, openDesk } from "./talk.mjs";

const world = await startWorld();

test("without a CRM the page has the command that connects one, and asks for no secret", async () => {
  const page = await openDesk(world, "console/connections");
  const view = page.locator("desk-connections");
  await view.getByText("No CRM is connected").waitFor();
  await view.getByLabel("CRM").selectOption("odoo");
  await view.getByText("make connect CRM=odoo TENANT=demo ADMINS=alice").waitFor();
  await view.getByText("odoo_demo").waitFor();
  assert.equal(await view.locator("input, textarea").count(), 0);
  await assertClean(page, "desk-connections", "html");
});
