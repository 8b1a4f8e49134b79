import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "./harness.mjs";
import {
  assertClean,
  assertSteady,
  go as show,
  last,
  openDesk as openAt,
  say,
  SCREEN,
  settled,
  textOf,
} from "./talk.mjs";

const DEAL = "ABC Corp Pilot Project";
/** Tall enough that a drag does not scroll: what is then under the pointer would be dragged instead. */
const WHOLE_BOARD = { height: 1800 };

const world = await startWorld();
let page;

const go = (path) => show(page, path);
const openDesk = async (path, options) => (page = await openAt(world, path, options));
const column = (stage) => page.locator(`desk-board section[aria-label^="${stage},"]`);
const card = (stage, name = DEAL) => column(stage).locator("a.card").filter({ hasText: name });

/** Answer the requests of a list with these records. */
async function listing(type, items, more = {}) {
  await page.route(`**/api/crm/${type}?*`, (route) =>
    route.fulfill({ json: { items, total: items.length, next_cursor: null, ...more } }),
  );
}

const lead = (name, id = "lead_1") => ({ id, entity_type: "lead", display_name: name, status: "warm" });

/** Let the browser's voice, which a machine without sound has none of, tell what it says. */
const hearing = () =>
  page.evaluate(() => {
    window.spoken = [];
    speechSynthesis.speak = (utterance) => {
      window.spoken.push(utterance.text);
      setTimeout(() => utterance.onend?.(), 50);
    };
  });

test("a newcomer asks, moves a deal by words, deletes it, takes that back, hears an answer, and finds its cost", async () => {
  await openDesk();
  await page.locator("desk-dashboard .figure").first().waitFor();
  assert.match(await say(page, "Tell me about Jack Russel"), /ABC Corp/);
  await last(page).locator(".follow-up").filter({ hasText: "What should I do next" }).click();
  await page.locator("aisha-message").nth(3).waitFor();
  assert.match(await settled(page), /call/i);
  await hearing();
  await last(page).getByRole("button", { name: "Read aloud" }).click();
  await page.waitForFunction(() => /call/i.test(window.spoken[0]));
  await go("opportunities");
  await card("Proposal").waitFor();
  await say(page, `Move ${DEAL} to negotiation`);
  await card("Negotiation").waitFor();
  assert.equal(await card("Proposal").count(), 0);
  assert.match(await card("Negotiation").innerText(), /You moved ABC Corp Pilot Project from Proposal to Negotiation/);
  const changed = page.locator("desk-changes");
  await changed.getByText("You moved ABC Corp Pilot Project from Proposal to Negotiation.").last().waitFor();
  await assertClean(page, "desk-moved", "html");
  const answered = page.locator("aisha-message").last();
  await answered.getByRole("button", { name: "Undo" }).waitFor();
  await changed.getByRole("button", { name: "Undo" }).click();
  await card("Proposal").waitFor();
  assert.equal(await changed.getByRole("button", { name: "Undo" }).count(), 0);
  await answered.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  await say(page, `Delete the deal ${DEAL}`);
  await page.getByRole("button", { name: "Yes, delete" }).click();
  await card("Proposal").waitFor({ state: "detached" });
  await changed.getByText(`You deleted the deal ${DEAL}.`).last().waitFor();
  await changed.getByRole("button", { name: "Undo" }).click();
  await card("Proposal").waitFor();
  await go("console/turns");
  const turns = page.locator("desk-turns tbody tr");
  await turns.first().waitFor();
  assert.match(await turns.first().innerText(), /Alice\s+widget\s+Completed[\s\S]*\$0\.00/);
  await turns.filter({ hasText: "advance_opportunity_stage" }).getByRole("link").click();
  await page.locator("desk-turn").getByText("advance_opportunity_stage").first().waitFor();
  assert.match(await textOf(page.locator("desk-turn")), /Cost\s+\$0\.00/);
  await page.locator("desk-turn summary").first().click();
  await assertClean(page, "desk-turn", "html");
  assert.deepEqual([page.errors, page.foreign], [[], []]);
});

test("a record that is deleted on its page is back with the undo, and the tab names the page", async () => {
  const { items } = await world.call("GET", "/api/crm/lead?name_contains=Jack%20Russel");
  await openDesk(`leads/${items[0].id}`);
  const title = page.locator("desk-record h1");
  await title.waitFor();
  assert.match(await page.title(), /^Leads · .+ desk$/);
  await say(page, "delete the lead Jack Russel");
  await page.getByRole("button", { name: "Yes, delete" }).click();
  await page.locator("desk-record").getByText("Jack Russel was deleted by you.").waitFor();
  await page.locator("desk-changes").getByRole("button", { name: "Undo" }).click();
  await title.waitFor();
  await go("%E0%A4%A");
  await page.locator("desk-dashboard").waitFor();
  assert.match(await page.title(), /^Overview · /);
  assert.deepEqual(page.errors, []);
});

test("what a colleague changes shows at once, with their name and without undo", async () => {
  await openDesk("leads");
  await page.locator("desk-table tbody tr").first().waitFor();
  await world.call("POST", "/api/ai/chat", { message: "Create a lead Nora Quist at Fjord AS" }, "bob");
  const row = page.locator("desk-table tbody tr").filter({ hasText: "Nora Quist" });
  await row.waitFor();
  assert.match(await row.innerText(), /created by bob/);
  const news = page.locator("desk-changes .change").filter({ hasText: "bob created the lead Nora Quist." });
  await news.waitFor();
  assert.equal(await news.getByRole("button", { name: "Undo" }).count(), 0);
});

test("several changes of one message are told one at a time, and undone in their order", async () => {
  await openDesk("leads");
  await say(page, "Create a lead Nora Quist at Fjord AS and add a note that she likes golf");
  const told = page.locator("desk-changes .change");
  await told.getByText("You created the note she likes golf.").waitFor();
  assert.equal(await told.count(), 1);
  await told.getByRole("button", { name: "Undo" }).click();
  await told.getByText("You created the lead Nora Quist.").waitFor();
  // Of the answer's two changes one is left to take back.
  await page.locator("aisha-message").last().getByRole("button", { name: "Undo", exact: true }).waitFor();
  await told.getByRole("button", { name: "Undo" }).click();
  await page.locator("desk-table tbody tr").filter({ hasText: "Nora Quist" }).waitFor({ state: "detached" });
  await say(page, "Create a lead Ada Quist at Fjord AS and add a note that she likes chess");
  const last = told.filter({ hasText: "You created the note she likes chess." });
  await last.getByRole("button", { name: "Dismiss" }).click();
  await last.waitFor({ state: "detached" });
  assert.equal(await told.getByRole("button", { name: "Undo" }).count(), 0);
});

test("an undo that came too late says why", async () => {
  await openDesk("opportunities");
  await card("Proposal").waitFor();
  await say(page, `Move ${DEAL} to negotiation`);
  const first = page.locator("desk-changes .change").filter({ hasText: DEAL });
  await first.waitFor();
  const release = world.hold(/GET \/api\/crm\/changes/);
  const message = "Move the deal ABC Corp Annual License to the stage qualification";
  await world.call("POST", "/api/ai/chat", { message });
  await first.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("alert").getByText("This was not your last change").waitFor();
  release();
  await card("Qualification", "ABC Corp Annual License").waitFor();
  await card("Negotiation").waitFor();
});

test("a card dropped on a stage asks the assistant for just that", async () => {
  await openDesk("opportunities", WHOLE_BOARD);
  await card("Proposal").dragTo(column("Qualification"));
  await card("Qualification").waitFor();
  assert.match(
    await textOf(page.locator("aisha-assistant")),
    /Move the deal ABC Corp Pilot Project to the stage Qualification/,
  );
});

test("each sentence that a record's page offers is understood and is about that record", async () => {
  await openDesk();
  for (const [type, path] of [
    ["lead", "leads"],
    ["contact", "contacts"],
    ["account", "accounts"],
    ["opportunity", "opportunities"],
  ]) {
    const { items } = await world.call("GET", `/api/crm/${type}?limit=1`);
    await go(`${path}/${items[0].id}`);
    const offered = page.locator("desk-record .asks button");
    await offered.first().waitFor();
    for (const message of await offered.evaluateAll((all) => all.map((one) => one.title))) {
      const answer = await world.call("POST", "/api/ai/chat", { message });
      assert.equal(answer.status, "completed", `${message}: ${answer.response}`);
      const named = answer.toolCalls.filter((call) => Object.values(call.arguments).includes(items[0].id));
      assert.ok(
        named.some((call) => call.status === "executed"),
        `${message}: ${answer.response}`,
      );
    }
  }
});

for (const theme of ["midnight", "light"]) {
  test(`every page is accessible and keeps to its width: ${theme}`, async () => {
    await openDesk();
    if (theme === "light") await page.getByRole("button", { name: "Light" }).click();
    const paths = ["", "leads", "accounts", "opportunities", "activities", "calendar", "notes", "settings", "console"];
    const tabs = ["turns", "analytics", "audit", "tools", "trust", "assistant", "documents", "operations"];
    for (const path of [...paths, ...tabs.map((tab) => `console/${tab}`)]) {
      await go(path);
      await page.locator("main .skeleton").first().waitFor({ state: "detached" });
      assert.equal(await page.locator("main").getByRole("alert").count(), 0, path);
      await assertClean(page, `desk-${theme}-${path}`, "html");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`);
    }
    assert.deepEqual([page.errors, page.foreign], [[], []]);
  });
}

test("before the server has answered the frame stands as it stays", async () => {
  const release = world.hold(/GET \/api\/ai\/profile/);
  page = await world.open(SCREEN);
  const frame = async () => {
    const boxes = ["nav.pages", "main", "header.top", "aisha-assistant"].map((name) => page.locator(name).first());
    return Promise.all(boxes.map((one) => one.boundingBox()));
  };
  await page.locator("main .skeleton").waitFor();
  const before = await frame();
  release();
  await page.locator("desk-dashboard").waitFor();
  assert.deepEqual(await frame(), before);
});

for (const width of [1440, 390]) {
  test(`the overview keeps its places while its parts come one after the other: ${width} px`, async () => {
    // The lowest first, as each moves what is below it.
    const parts = [/GET .*scan-briefing/, /GET .*goal/, /POST .*next-step/, /GET .*opportunity/];
    const releases = parts.map((part) => world.hold(part));
    await openDesk("", { width, height: 844 });
    await page.locator("desk-dashboard .figure").first().waitFor();
    for (const release of releases) {
      release();
      await page.waitForTimeout(400);
    }
    await page.locator("main .skeleton").first().waitFor({ state: "detached" });
    await assertSteady(page, `the overview at ${width} px`);
  });
}

for (const width of [1440, 1280, 390]) {
  test(`nothing in the list of activities covers its neighbour: ${width} px`, async () => {
    await openDesk("activities", { width });
    await page.locator("desk-activities td").first().waitFor();
    const wide = await page
      .locator("desk-activities td")
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText),
      );
    assert.deepEqual(wide, []);
  });
}

test("on a phone the pages fit, and the assistant is behind its button", async () => {
  await openDesk("leads", { width: 390, height: 844 });
  await page.locator("desk-table tbody tr").first().waitFor();
  await assertClean(page, "desk-phone", "html");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await world.call("POST", "/api/ai/chat", { message: "Create a lead Nora Quist at Fjord AS" });
  const news = page.locator("desk-changes .change").filter({ hasText: "You created the lead Nora Quist." });
  await news.getByRole("button", { name: "Dismiss" }).click();
  await news.waitFor({ state: "detached" });
  await page.locator("aisha-assistant").getByRole("button").click();
  await page.locator("aisha-assistant").getByRole("textbox").waitFor();
});

test("a user without a module or the admin's role is shown neither", async () => {
  page = await world.open({ ...SCREEN });
  await page.getByLabel("Signed in as").selectOption("bob");
  await page.waitForLoadState();
  await page.getByRole("link", { name: "Leads" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Deals" }).count(), 0);
  assert.equal(await page.getByRole("link", { name: "Console" }).count(), 0);
  await go("console");
  await page.locator("desk-dashboard").waitFor();
  assert.equal(await page.locator("desk-console").count(), 0);
});

test("a rule of the admin takes a tool away, and its change is in the audit log", async () => {
  await openDesk("console/tools");
  await page.getByLabel("Rule for delete_lead").selectOption("deny");
  await page.getByText("Taken away by its rule").waitFor();
  await go("console/audit");
  await page.locator("desk-audit tbody").getByText("update_profile").first().waitFor();
  await page.locator("desk-audit").getByText("None was changed, moved or removed").waitFor();
});

test("an admin trusts a role with a tool, holds another one back, and takes both back", async () => {
  await openDesk("console/trust");
  const admin = async () => (await world.call("GET", "/api/ai/profile")).admin;
  const part = (title) =>
    page.locator("desk-trust section").filter({ has: page.getByRole("heading", { name: title }) });
  const [trust, rules] = [part("Trust"), part("Rules by role")];
  await trust.getByText("Nobody is trusted further").waitFor();
  await trust.getByLabel("Tool").selectOption("create_note");
  await trust.getByLabel("Role").fill("All roles");
  await trust.getByRole("button", { name: "Trust" }).click();
  await trust.getByText("Saved. All roles: trusted with create_note.").waitFor();
  assert.deepEqual((await admin()).trust, { create_note: ["*"] });
  await rules.getByLabel("Tool").selectOption("delete_lead");
  await rules.getByLabel("Role").fill("trainee");
  await rules.getByLabel("Rule").selectOption("deny");
  await rules.getByRole("button", { name: "Add rule" }).click();
  await rules.getByText("Saved. trainee: the rule for delete_lead is “deny”.").waitFor();
  assert.deepEqual((await admin()).roleRules, { delete_lead: { trainee: "deny" } });
  await assertClean(page, "desk-trust", "html");
  await trust.getByRole("button", { name: "Remove create_note for All roles" }).click();
  await trust.getByText("Saved. Removed: create_note for All roles.").waitFor();
  await rules.getByRole("button", { name: "Remove delete_lead for trainee" }).click();
  await rules.getByText("Saved. Removed: delete_lead for trainee.").waitFor();
  const { trust: trusted, roleRules } = await admin();
  assert.deepEqual([trusted, roleRules], [{}, {}]);
});

test("a rule by role that can't be saved says why, and what was entered stays", async () => {
  await openDesk("console/trust");
  const form = page.locator("desk-trust form").last();
  await form.getByLabel("Tool").selectOption("delete_lead");
  await form.getByLabel("Role").fill("trainee");
  const { version } = (await world.call("GET", "/api/ai/profile")).admin;
  await world.call("PATCH", "/api/ai/profile", { assistantName: "Ada", version });
  await form.getByRole("button", { name: "Add rule" }).click();
  await page.locator("desk-trust").getByRole("alert").getByText("These settings have changed since you read them").waitFor();
  assert.equal(await form.getByLabel("Role").inputValue(), "trainee");
  await form.getByRole("button", { name: "Add rule" }).click();
  await page.locator("desk-trust").getByText("Saved. trainee: the rule for delete_lead is “ask”.").waitFor();
});

test("names with markup, of 500 characters and in Arabic are text that fits", async () => {
  await openDesk();
  const markup = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
  await listing("lead", [lead(markup, "lead_1"), lead("W".repeat(500), "lead_2"), lead("شركة الاختبار", "lead_3")]);
  await go("leads");
  await page.getByText(markup).waitFor();
  assert.equal(await page.evaluate(() => window.ran), undefined);
  const box = await page.locator("main").evaluate((main) => [main.scrollWidth, main.clientWidth]);
  assert.ok(box[0] <= box[1], `${box[0]} of ${box[1]}`);
  assert.equal(await page.locator("desk-table a.link").nth(2).getAttribute("dir"), "auto");
  assert.deepEqual([page.errors, page.foreign], [[], []]);
});

test("of 10,000 records the first page is drawn, and more on demand", async () => {
  await openDesk();
  const items = Array.from({ length: 50 }, (_, place) => lead(`Lead ${place}`, `lead_${place}`));
  await listing("lead", items, { total: 10_000, next_cursor: "next" });
  await go("leads");
  await page.getByRole("button", { name: "Show more" }).waitFor();
  assert.equal(await page.locator("desk-table tbody tr").count(), 50);
  assert.match(await textOf(page.locator("desk-table")), /10000/);
});

for (const [status, words] of [
  [403, /User lacks module access/],
  [500, /The server could not do this|Something broke/],
  [503, /does not answer|could not do this/],
]) {
  test(`a list that fails with ${status} says so, and tries again`, async () => {
    await openDesk();
    const body = status === 403 ? { code: "permission_denied", message: "User lacks module access: leads" } : {};
    world.fail(/GET \/api\/crm\/lead/, { status, body, times: 5 });
    await go("leads");
    const alert = page.locator("main").getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.innerText(), words);
    world.faults = [];
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.locator("desk-table tbody tr").first().waitFor();
  });
}

test("HTML in place of JSON is an error in words", async () => {
  await openDesk();
  world.fail(/GET \/api\/crm\/lead/, {
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<h1>Sign in</h1>",
  });
  await go("leads");
  await page.locator("main").getByRole("alert").waitFor();
});

test("while the server is away the page says so and catches up", async () => {
  await openDesk("leads");
  await page.locator("desk-table tbody tr").first().waitFor();
  world.fail(/GET \/api\/crm\/changes/, { status: 500, times: 2 });
  await page.getByText("The server does not answer; trying again").waitFor();
  await world.call("POST", "/api/ai/chat", { message: "Create a lead Nora Quist at Fjord AS" });
  await page.locator("desk-table tbody tr").filter({ hasText: "Nora Quist" }).waitFor();
  assert.equal(await page.getByText("The server does not answer").count(), 0);
});

test("the bell counts what is due, says what it is, and leads to the settings", async () => {
  await world.call("POST", "/api/ai/notifications", { title: "Send the quote to ABC Corp" });
  const { notifications } = await world.call("GET", "/api/ai/notifications");
  await openDesk();
  const bell = page.locator("desk-bell summary");
  await page.locator(`desk-bell summary[aria-label="Notifications: ${notifications.length} due"]`).waitFor();
  await bell.click();
  await page.locator("desk-bell").getByText("Send the quote to ABC Corp").waitFor();
  await assertClean(page, "desk-bell", "html");
  await page.keyboard.press("Escape");
  await page.locator("desk-bell").getByText("Send the quote to ABC Corp").waitFor({ state: "hidden" });
  await bell.click();
  await page.locator("desk-bell").getByRole("link", { name: "What comes, and how you are told" }).click();
  await page.locator("desk-settings").getByText("Due and coming up").waitFor();
});

test("what is kept for a user is listed in the settings, and deleted there", async () => {
  await openDesk();
  await world.call("POST", "/api/ai/instructions", { text: "Give amounts in euros." });
  const { conversationId } = await world.call("POST", "/api/ai/chat", { message: "remember that ABC Corp pays late" });
  await world.call("POST", "/api/ai/chat", { message: "yes", conversationId });
  await world.call("POST", "/api/ai/chat", { message: "put up a sticky note: buy flowers" });
  await go("settings");
  for (const text of [/Give amounts in euros/, /ABC Corp pays late/i, /buy flowers/i]) {
    const entry = page.locator("desk-settings li").filter({ hasText: text });
    await entry.getByRole("button", { name: /^Delete/ }).click();
    await entry.waitFor({ state: "detached" });
  }
  assert.deepEqual((await world.call("GET", "/api/ai/memories")).items, []);
  assert.deepEqual((await world.call("GET", "/api/ai/sticky-notes")).items, []);
  await assertClean(page, "desk-settings", "html");
});

test("the desk speaks the browser's language, and the one that is chosen in the settings", async () => {
  await openDesk("opportunities", { ...WHOLE_BOARD, locale: "de-DE" });
  await page.getByRole("heading", { name: "Deals" }).waitFor();
  await page.getByRole("link", { name: "Einstellungen" }).waitFor();
  await page.getByText("Was kann ich für Sie tun?").waitFor();
  await column("Verhandlung").waitFor();
  assert.match(await column("Angebot").innerText(), /\d\.\d{3}\s\$/);
  await card("Angebot").dragTo(column("Verhandlung"));
  await card("Verhandlung").waitFor();
  const changed = page.locator("desk-changes");
  await changed.getByText(`Sie haben ${DEAL} verschoben: von Angebot nach Verhandlung.`).last().waitFor();
  await changed.getByRole("button", { name: "Rückgängig" }).click();
  await card("Angebot").waitFor();
  await go("settings");
  await page.locator("desk-settings").getByText("Wie er antwortet").waitFor();
  await page.locator("desk-settings select").last().selectOption("fr");
  await page.locator("desk-settings").getByText("Comment il répond").waitFor();
  await page.locator("aisha-assistant .panel[lang=fr]").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "fr");
  await assertClean(page, "desk in French", "html");
});

test("a right-to-left locale mirrors the desk, and every page keeps to its width", async () => {
  await openDesk("", { locale: "ar-EG" });
  const { x: pages } = await page.locator("nav.pages").boundingBox();
  const { x: main } = await page.locator("main").boundingBox();
  const { x: panel } = await page.locator("aisha-assistant .panel").boundingBox();
  assert.ok(panel < main && main < pages, "the panel stands left, the pages' links right");
  for (const path of ["", "leads", "opportunities", "activities", "calendar", "settings", "console/trust"]) {
    await go(path);
    await page.locator("main .skeleton").first().waitFor({ state: "detached" });
    await page.waitForLoadState("networkidle");
    await assertClean(page, `desk right to left ${path}`, "html");
    const [wide, room] = await page.locator("main").evaluate((one) => [one.scrollWidth, one.clientWidth]);
    assert.ok(wide <= room, `${path}: ${wide} of ${room}`);
  }
  const figures = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(figures <= 0);
});
