import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { World } from "./harness.mjs";
import { last, say, textOf } from "./talk.mjs";
import { bundle, examples, serve, visualforce } from "./vendors.mjs";

// The vendor's page is of another site than the page in its frame, as it is in the vendor's CRM.
const vendor = await serve("localhost");
const own = await serve();
const world = await World.start({ settings: { AISHA_CORS_ORIGINS: own.url } });
after(() => Promise.all([vendor.stop(), own.stop(), world.stop()]));
afterEach(() => Promise.all(world.browser.contexts().map((context) => context.close())));

const token = async () => {
  const response = await fetch(`${world.api}/local/token?user=alice&tenant=demo`);
  return { body: (await response.json()).token };
};
const recordOf = async (type) => (await world.call("GET", `/api/crm/${type}?limit=1`)).items[0];
const atHome = (html) => html.replace("https://api.example.com", world.url);

/** Open the vendor's page and return it with the frame that has the assistant. */
async function open(path, press) {
  const page = await world.open({ width: 1280 });
  await page.goto(vendor.url + path);
  if (press) await page.getByRole("button", { name: press }).click();
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  await frame.locator("aisha-welcome").waitFor();
  return { page, frame };
}

/** Ask about the record on the page; return the answer. */
async function askAboutRecord(frame, type, id) {
  const answer = await say(frame, "Summarize the record on this page");
  const { recordType, recordId } = world.sent("POST /api/ai/chat").at(-1).context;
  assert.deepEqual([recordType, recordId], [type, id]);
  return answer;
}

test("HubSpot: the card opens the page in a frame, and the assistant there answers about the record", async () => {
  const [card, html, script] = await examples("HubSpot");
  const source = card.replace("https://crm-assistant.example.com", own.url);
  vendor.pages["/record"] = `<!doctype html><title>A record</title><script type="module" src="/card.js"></script>`;
  vendor.pages["/card.js"] = await bundle(
    `import { element, fragment } from "@hubspot/ui-extensions";\n${source}`,
    "hubspot.js",
    ["@hubspot/ui-extensions"],
  );
  own.pages["/card"] = { body: atHome(html), headers: { "content-security-policy": `frame-ancestors ${vendor.url}` } };
  own.pages["/card.js"] = script;
  own.pages["/card.css"] = "html, body { block-size: 100%; margin: 0 }";
  own.pages["/my/token"] = token;
  const contact = await recordOf("contact");
  const { page, frame } = await open(`/record?type=0-1&id=${contact.id}`, "Open the assistant");
  assert.ok((await askAboutRecord(frame, "contact", contact.id)).includes(contact.display_name));
  const [panel, box] = [
    await frame.locator("aisha-assistant").boundingBox(),
    await page.locator("iframe").boundingBox(),
  ];
  assert.ok(Math.abs(panel.height - box.height) < 8, `${panel.height} of ${box.height}`);
  assert.deepEqual(page.errors, []);
});

test("Salesforce: the component shows the page in a frame, opens records and says what was changed", async () => {
  const [, source, template, component] = await examples("Salesforce");
  own.pages["/apex/Aisha"] = ({ searchParams }) => ({ body: visualforce(atHome(source), searchParams) });
  own.pages["/token"] = token;
  // Salesforce moves a Visualforce page to an origin of its own.
  vendor.pages["/apex/Aisha"] = ({ search }) => ({
    status: 302,
    headers: { location: `${own.url}/apex/Aisha${search}` },
  });
  vendor.pages["/record"] = `<!doctype html><title>A record</title><script type="module" src="/page.js"></script>`;
  vendor.pages["/page.js"] = await bundle(
    `import { show } from "lwc";\n${component}\nshow(Aisha, ${JSON.stringify(template.replace(/<\/?template>/g, ""))});`,
    "lightning.js",
    ["lwc", "lightning/navigation", "lightning/uiRecordApi"],
  );
  const lead = await recordOf("lead");
  const { page, frame } = await open(`/record?type=Lead&id=${lead.id}`);
  assert.ok((await askAboutRecord(frame, "lead", lead.id)).includes(lead.display_name));
  await say(frame, "Tell me about Jack Russel");
  await last(frame).getByRole("button", { name: "Open lead Jack Russel" }).click();
  await page.waitForFunction(() => window.heard.opened.length);
  const [opened] = await page.evaluate(() => window.heard.opened);
  const { items } = await world.call("GET", "/api/crm/lead?name_contains=Jack%20Russel");
  assert.deepEqual(opened.attributes, { recordId: items[0].id, actionName: "view" });
  await say(frame, "Create a lead Nora Quist at Fjord AS");
  await page.waitForFunction(() => window.heard.updated.length);
  assert.match(await textOf(last(frame)), /Nora Quist/);
  assert.deepEqual(page.errors, []);
});
