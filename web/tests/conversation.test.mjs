import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, startWorld, until } from "./harness.mjs";
import { CHAT, problem } from "./streams.mjs";
import { assertClean, beginAnew, heard, last, say, settled, textOf, write } from "./talk.mjs";

const world = await startWorld();
let page;

test("a question is answered with its steps, its sources and follow-ups that work", async () => {
  page = await world.open();
  await assertClean(page, "welcome");
  const answer = await say(page, "Tell me about Jack Russel");
  assert.match(answer, /ABC Corp/);
  assert.match(answer, /\d steps? · /);
  await last(page).locator("summary").first().click();
  await last(page).getByText("Searching leads").click();
  assert.match(await textOf(last(page).locator("aisha-steps")), /Name contains Jack Russel/);
  await assertClean(page, "steps");
  await last(page).getByRole("button", { name: "Open lead Jack Russel" }).click();
  const [opened] = await heard(page, "navigate");
  assert.equal(opened.record.name, "Jack Russel");
  const followUp = last(page).locator(".follow-up").first();
  const text = (await followUp.locator("span").last().textContent()).trim();
  const count = await page.locator("aisha-message").count();
  await followUp.click();
  await page
    .locator("aisha-message")
    .nth(count + 1)
    .waitFor();
  await settled(page);
  const asked = await textOf(page.locator("aisha-message").nth(count));
  assert.equal(asked, `You said : ${text}`);
  await assertClean(page, "answer");
});

test("a deletion waits for a yes, is done once, and is taken back by the undo button", async () => {
  page = await world.open();
  await say(page, "delete the lead Jack Russel");
  const card = last(page).locator("aisha-confirmation");
  assert.match(await textOf(card), /Exactly this will be done\s+Lead\s+Jack Russel/);
  assert.match(await textOf(card), /\d:\d\d left to decide/);
  assert.equal((await heard(page, "confirmationneeded")).length, 1);
  await assertClean(page, "confirmation");
  await card.getByRole("button", { name: "Yes, delete" }).click();
  await page.getByText("You agreed.").waitFor();
  assert.match(await settled(page), /deleted/i);
  const [gone] = await heard(page, "recordchanged");
  assert.deepEqual([gone.action, gone.name], ["deleted", "Jack Russel"]);
  const find = () => world.call("GET", "/api/crm/lead?name_contains=Jack%20Russel");
  assert.equal((await find()).items.filter((item) => item.display_name === "Jack Russel").length, 0);
  await last(page).getByRole("button", { name: "Undo" }).click();
  await last(page).getByText("Taken back: Jack Russel").waitFor();
  assert.equal((await find()).items.filter((item) => item.display_name === "Jack Russel").length, 1);
  await assertClean(page, "undone");
});

test("a no leaves everything as it is", async () => {
  page = await world.open();
  await say(page, "delete the lead Jack Russel");
  await last(page).getByRole("button", { name: "No, leave it" }).click();
  await page.getByRole("group", { name: "You declined. Nothing was done." }).waitFor();
  await settled(page);
  assert.equal((await heard(page, "recordchanged")).length, 0);
});

test("a plan shows its steps, is agreed to once, and shows how each step ended", async () => {
  page = await world.open();
  await page.getByRole("button", { name: "Plan first" }).click();
  await say(page, "Convert Jack Russel to an opportunity worth 20k and plan a call tomorrow");
  const asked = page.locator("aisha-confirmation");
  const steps = asked.getByRole("listitem");
  assert.match(await textOf(steps.nth(1)), /2 Convert Jack Russel to a contact and an account.*: planned/);
  assert.match(await textOf(steps.nth(2)), /3 Schedule a call with Jack Russel.*: planned/);
  assert.equal(await textOf(asked.locator(".before")), "Shall I do this?");
  assert.match(await textOf(asked.locator(".after")), /can be undone for one day/);
  await assertClean(page, "plan");
  await asked.getByRole("button", { name: "Yes, do it" }).click();
  await page.getByText("You agreed.").waitFor();
  await settled(page);
  for (const place of [0, 1, 2]) assert.match(await textOf(steps.nth(place)), /: done/);
  const changed = (await heard(page, "recordchanged")).map(({ action, type }) => `${action} ${type}`);
  assert.ok(changed.includes("created opportunity") && changed.includes("created activity"), changed.join(", "));
  await assertClean(page, "plan done");
  await page.reload();
  assert.equal(await page.getByRole("button", { name: "Plan first" }).getAttribute("aria-pressed"), "true");
});

test("a plan for one of several people has a button for each, then the steps for the chosen one", async () => {
  page = await world.open();
  await page.getByRole("button", { name: "Plan first" }).click();
  await say(page, "Call John tomorrow");
  const asked = page.locator("aisha-confirmation");
  await assertClean(page, "plan to choose");
  await asked.getByRole("button", { name: /John Doe/ }).click();
  await page.getByText("You agreed.").waitFor();
  await settled(page);
  assert.match(await textOf(asked.getByRole("listitem").last()), /Schedule a call with John Doe.*: done/);
  assert.equal((await heard(page, "recordchanged")).length, 1);
});

test("a deletion of one of several of a name deletes the one whose button is clicked, and no other", async () => {
  const contacts = async () => {
    const { items } = await world.call("GET", "/api/crm/contact?name_contains=John");
    return items.map((item) => item.display_name).sort();
  };
  const all = await contacts();
  page = await world.open();
  await page.getByRole("button", { name: "Plan first" }).click();
  await say(page, "Delete the contact John");
  const asked = page.locator("aisha-confirmation");
  const choices = await asked.getByRole("button", { name: /^John / }).allInnerTexts();
  assert.deepEqual(
    choices.map((text) => all.some((name) => text.includes(name))),
    [true, true, true],
  );
  await assertClean(page, "select a deletion");
  assert.deepEqual(await contacts(), all);
  await asked.getByRole("button", { name: /John Doe/ }).click();
  await page.getByText("You agreed.").waitFor();
  await settled(page);
  assert.deepEqual(
    await contacts(),
    all.filter((name) => name !== "John Doe"),
  );
  const gone = await heard(page, "recordchanged");
  assert.deepEqual(
    gone.map(({ action, name }) => `${action} ${name}`),
    ["deleted John Doe"],
  );
});

test("a choice of none of several leaves them all", async () => {
  page = await world.open();
  await page.getByRole("button", { name: "Plan first" }).click();
  await say(page, "Delete the contact John");
  await page
    .locator("aisha-confirmation")
    .getByRole("button", { name: /None of/ })
    .click();
  await page.getByRole("group", { name: "You declined. Nothing was done." }).waitFor();
  await settled(page);
  assert.deepEqual((await world.call("GET", "/api/crm/changes")).items, []);
});

test("two tabs that confirm the same deletion get the same outcome, and it is done once", async () => {
  page = await world.open();
  await say(page, "delete the lead Jack Russel");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Yes, delete" }).waitFor();
  await Promise.all([page, other].map((tab) => tab.getByRole("button", { name: "Yes, delete" }).click()));
  for (const tab of [page, other]) {
    await tab.getByText("You agreed.").waitFor();
    await tab
      .getByText(/I deleted|deleted the lead/i)
      .first()
      .waitFor();
  }
  const { items } = await world.call("GET", "/api/crm/changes");
  assert.equal(items.filter((item) => item.action === "deleted").length, 1);
});

test("a tab that says no after the other said yes is told that it was decided", async () => {
  page = await world.open();
  await say(page, "delete the lead Jack Russel");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "No, leave it" }).waitFor();
  await page.getByRole("button", { name: "Yes, delete" }).click();
  await page.getByText("You agreed.").waitFor();
  await settled(page);
  await other.getByRole("button", { name: "No, leave it" }).click();
  await other
    .getByText(/used or has expired/)
    .first()
    .waitFor();
});

test("a reload brings the conversation back with its sources, steps, question and mood", async () => {
  page = await world.open();
  await say(page, "Tell me about Jack Russel");
  await say(page, "delete him");
  await page.reload();
  await page.getByRole("button", { name: "Yes, delete" }).waitFor();
  const first = await textOf(page.locator("aisha-message").nth(1));
  assert.match(first, /Based on\s+Jack Russel/);
  assert.match(first, /steps/);
  assert.match(await page.locator("aisha-message").nth(1).locator(".when").getAttribute("title"), /in total, .* model/);
  assert.equal(await page.locator("aisha-header [role=img]").count(), 1);
  await page.getByRole("button", { name: "Yes, delete" }).click();
  await page.getByText("You agreed.").waitFor();
});

test("what is worth knowing and what to do about it stand beside the answer, also after a reload", async () => {
  page = await world.open();
  await say(page, "What is on my plate today?");
  const noted = () => textOf(last(page).getByRole("list", { name: "Worth knowing" }));
  const first = await noted();
  assert.match(first, /\d activit\w+ (is|are) overdue Complete or reschedule what is overdue/);
  await assertClean(page, "insights");
  await page.reload();
  assert.equal(await noted(), first);
});

test("the page hears what was created and where the assistant leads", async () => {
  page = await world.open();
  await say(page, "create a lead Max Muster at Foo AG");
  const [created] = await heard(page, "recordchanged");
  assert.deepEqual([created.action, created.type, created.name], ["created", "lead", "Max Muster"]);
  await say(page, "open the leads page");
  assert.equal((await heard(page, "navigate")).at(-1).page, "leads");
});

test("what the page shows is said to the API, and the widget as the client", async () => {
  const { items } = await world.call("GET", "/api/crm/lead?limit=1");
  page = await world.open({ query: `?record-type=lead&record-id=${items[0].id}&page=leads` });
  await page.getByRole("button", { name: /This record/ }).click();
  await last(page).waitFor();
  assert.match(await settled(page), new RegExp(items[0].display_name));
  const [body] = world.sent("POST /api/ai/chat");
  assert.deepEqual(body.context, { page: "leads", recordType: "lead", recordId: items[0].id });
  await say(page, "create a lead Max Muster at Foo AG");
  assert.equal((await world.call("GET", "/api/crm/changes")).items.at(-1).door, "widget");
});

test("the list of conversations finds, renames, opens and deletes", async () => {
  page = await world.open();
  await say(page, "Tell me about Jack Russel");
  await beginAnew(page);
  await say(page, "How does my pipeline look?");
  await page.getByRole("button", { name: "Conversations" }).click();
  const rows = page.locator("aisha-history li");
  await rows.nth(1).waitFor();
  await assertClean(page, "history");
  await page.getByRole("searchbox").fill("Jack Russel");
  await rows.nth(1).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Rename/ }).click();
  await page.getByRole("textbox", { name: "New name" }).fill("Renewal of ABC Corp");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Renewal of ABC Corp").click();
  assert.match(await textOf(last(page)), /ABC Corp/);
  await page.getByRole("button", { name: "Conversations" }).click();
  await page.getByRole("button", { name: "Delete: Renewal of ABC Corp" }).click();
  await assertClean(page, "delete question");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Renewal of ABC Corp").waitFor({ state: "detached" });
});

test("a conversation is saved as a file", async () => {
  page = await world.open();
  await say(page, "Tell me about Jack Russel");
  await page.getByRole("button", { name: "Conversations" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Save as a file: / }).click();
  const file = await saved;
  assert.match(file.suggestedFilename(), /\.md$/);
  assert.match(await readFile(await file.path(), "utf8"), /Tell me about Jack Russel[\s\S]*ABC Corp/);
});

test("suggestions say how urgent they are, and are put off, dismissed or taken up", async () => {
  await fetch(`${world.api}/local/commands/sweep`, { method: "POST" });
  page = await world.open();
  const cards = page.locator("aisha-suggestions li");
  await page.getByText("Waiting for you").waitFor();
  assert.match(await textOf(cards.first()), /^Urgent .+ Do it Tomorrow Dismiss$/);
  await assertClean(page, "suggestions");
  const records = await cards.locator(".record").allInnerTexts();
  assert.equal(new Set(records).size, records.length, "one suggestion for a record at a time");
  const statusOf = async (status) =>
    (await world.call("GET", `/api/ai/suggestions?status=${status}`)).suggestions.length;
  for (const [button, status] of [
    ["Tomorrow", "snoozed"],
    ["Dismiss", "dismissed"],
    ["Do it", "accepted"],
  ]) {
    const before = await statusOf(status);
    const acted = cards.filter({ has: page.getByRole("button", { name: "Do it" }) }).first();
    const label = await acted.getByRole("button", { name: `${button}: ` }).getAttribute("aria-label");
    const text = await acted.locator("p").first().textContent();
    await page.getByRole("button", { name: label }).first().click();
    await cards.filter({ hasText: text }).first().waitFor({ state: "detached" });
    assert.equal(await statusOf(status), before + 1, button);
  }
  assert.equal((await heard(page, "recordchanged")).length, 1);
});

test("a scan that an answer recommends is run by its button", async () => {
  page = await world.open();
  await say(page, "What should I do next?");
  await assertClean(page, "recommended scan");
  await last(page).getByRole("button", { name: "Run the next steps scan" }).click();
  await page.locator("aisha-message").nth(3).waitFor();
  await settled(page);
  await last(page).locator("summary").first().click();
  assert.match(await textOf(last(page).locator("aisha-steps")), /scan/i);
});

test("the button for the next step recommends a scan by its own endpoint, and its chip runs the scan", async () => {
  page = await world.open();
  await page
    .locator("aisha-welcome")
    .getByRole("button", { name: /^Next step/ })
    .click();
  await last(page).waitFor();
  assert.match(await settled(page), /I recommend the .+ scan/);
  assert.equal(world.sent("POST /api/ai/chat").length, 0);
  assert.equal((await world.awaited("POST /api/ai/next-step")).length, 1);
  const [command] = await world.awaited("POST /api/ai/analytics");
  assert.deepEqual([command.commandName, command.success], ["next_step_recommendation", true]);
  await last(page).getByRole("button", { name: "What should I do next?" }).waitFor();
  await assertClean(page, "next step");
  await last(page)
    .getByRole("button", { name: /^Run the .+ scan$/ })
    .click();
  await page.locator("aisha-message").nth(2).waitFor();
  await settled(page);
  await last(page).locator("summary").first().click();
  assert.match(await textOf(last(page).locator("aisha-steps")), /scan/i);
});

test("a recommendation that fails is told in words and can be asked for again", async () => {
  page = await world.open();
  world.fail(/^POST \/api\/ai\/next-step$/, { status: 500, body: problem(500, "internal_error") });
  await page
    .locator("aisha-welcome")
    .getByRole("button", { name: /^Next step/ })
    .click();
  await last(page).getByRole("button", { name: "Try again" }).click();
  await last(page)
    .getByText(/I recommend the/)
    .waitFor();
});

test("a recommendation while a question waits leaves the question open", async () => {
  page = await world.open();
  await say(page, "delete the lead Jack Russel");
  await page.getByRole("button", { name: "Conversations" }).focus();
  await page.keyboard.press("2");
  await last(page)
    .getByText(/I recommend the/)
    .waitFor();
  await page
    .getByRole("textbox", { name: "Message" })
    .and(page.getByPlaceholder("Yes, no, or something else"))
    .waitFor();
  await say(page, "no");
  await page.getByRole("group", { name: "This question is closed." }).waitFor();
});

test("an undo by words leaves no button that would undo the same again", async () => {
  page = await world.open();
  await say(page, "Create a lead Nora Quist at Fjord AS");
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  await undo.waitFor();
  assert.match(await say(page, "undo that"), /taken that back/i);
  assert.equal(await undo.count(), 0);
});

test("an undo in one tab takes the undo button away in the other", async () => {
  page = await world.open();
  await say(page, "Create a lead Nora Quist at Fjord AS");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await beginAnew(other);
  await say(other, "Create a lead Ada Quist at Fjord AS");
  await say(page, "undo that");
  await last(other).getByRole("button", { name: "Undo", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await last(page).getByText("Taken back: Nora Quist").waitFor();
});

test("the settings explain the modes and choose model and appearance", async () => {
  page = await world.open();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByText("Two sentences at most.").click();
  const [model] = (await world.call("GET", "/api/ai/models")).providers[0].models;
  await page.getByRole("combobox", { name: "Model" }).selectOption(`${model.provider}/${model.model}`);
  await page.getByRole("radio", { name: "Light" }).check();
  assert.equal(await page.locator("aisha-assistant").getAttribute("data-theme"), "light");
  await assertClean(page, "settings");
  assert.equal((await world.call("GET", "/api/ai/mode")).mode, "brief");
  await world.call("POST", "/api/ai/mode/default", {});
  await page.reload();
  assert.equal(await page.locator("aisha-assistant").getAttribute("data-theme"), "light");
  await say(page, "Show me my warm leads");
  const [body] = world.sent("POST /api/ai/chat");
  assert.deepEqual([body.provider, body.model], [model.provider, model.model]);
});

test("the panel can be minimised, marks an unread answer, and gives the focus back", async () => {
  page = await world.open({ width: 1000 });
  const release = world.hold(CHAT);
  await write(page, "What is on my plate today?");
  await page.getByRole("button", { name: "Minimise" }).click();
  await page.getByRole("button", { name: "Open the assistant", exact: true }).waitFor();
  release();
  await page.getByRole("button", { name: "Open the assistant: a new answer" }).waitFor();
  await assertClean(page, "launcher");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.keyboard.type("Hello");
  assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "Hello");
});

test("an answer is rated, with a reason, and copied", async () => {
  page = await world.open({ permissions: ["clipboard-read", "clipboard-write"] });
  await say(page, "Show me my warm leads");
  await last(page).getByRole("button", { name: "Copy answer" }).click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /warm/);
  await last(page).getByRole("button", { name: "Bad answer" }).click();
  await page.getByRole("button", { name: "Something is missing" }).click();
  const [body] = await world.awaited("POST /api/ai/analytics");
  assert.deepEqual([body.success, body.errorMessage], [false, "incomplete"]);
});

test("the keys alone do everything: send, break a line, bring back, stop, quick buttons", async () => {
  page = await world.open();
  await page.getByRole("button", { name: "Conversations" }).focus();
  await page.keyboard.press("2");
  await last(page).waitFor();
  assert.match(await settled(page), /I recommend the/);
  await page.getByRole("button", { name: "Conversations" }).focus();
  await page.keyboard.press("1");
  await page.locator("aisha-message").nth(2).waitFor();
  await settled(page);
  const box = page.getByRole("textbox", { name: "Message" });
  await box.focus();
  await page.keyboard.type("Show me");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("my warm leads");
  assert.equal(await box.inputValue(), "Show me\nmy warm leads");
  await page.keyboard.press("Enter");
  await settled(page);
  await page.keyboard.press("ArrowUp");
  assert.equal(await box.inputValue(), "Show me\nmy warm leads");
  await page.keyboard.press("ArrowUp");
  assert.equal(await box.inputValue(), "What is on my plate today?");
  await box.fill("");
  world.hold(CHAT);
  const messagesSent = world.sent("POST /api/ai/chat").length;
  await write(page, "How does my pipeline look?");
  await until(() => world.sent("POST /api/ai/chat").length > messagesSent, "the message is sent");
  await page.getByRole("button", { name: "Stop" }).click();
  assert.match(await settled(page), /Stopped/);
  await assertClean(page, "stopped");
});

test("an answer that only read is given again in its place", async () => {
  page = await world.open();
  await say(page, "Which company does Jack Russel work for?");
  await last(page).getByRole("button", { name: "Answer again" }).click();
  await settled(page);
  assert.equal(await page.locator("aisha-message").count(), 2);
  assert.match(await textOf(last(page)), /ABC Corp/);
  assert.equal(await page.evaluate(() => document.activeElement.localName), "aisha-assistant");
  await page.reload();
  await last(page).getByRole("button", { name: "Answer again" }).waitFor();
  assert.equal(await page.locator("aisha-message").count(), 2);
  await last(page).getByRole("button", { name: "Answer again" }).click();
  await settled(page);
  assert.equal(await page.locator("aisha-message").count(), 2);
});

test("one's last message is changed and sent again in its place, and a draft comes back", async () => {
  page = await world.open();
  const box = page.getByRole("textbox", { name: "Message" });
  await say(page, "Show me my warm leads");
  await say(page, "Which company does Jane Doe work for?");
  await box.fill("Thank you");
  await page.getByRole("button", { name: "Change this message" }).click();
  assert.equal(await box.inputValue(), "Which company does Jane Doe work for?");
  await page.getByText("You are changing your last message. It gets a new answer.").waitFor();
  await assertClean(page, "editing");
  await page.keyboard.press("Escape");
  assert.equal(await box.inputValue(), "Thank you");
  await page.getByRole("button", { name: "Change this message" }).click();
  await write(page, "Which company does Jack Russel work for?");
  await settled(page);
  assert.equal(await page.locator("aisha-message").count(), 4);
  assert.match(await textOf(last(page)), /ABC Corp/);
  assert.equal(await box.inputValue(), "Thank you");
  assert.equal(await page.getByText("Jane Doe").count(), 0);
});

test("a follow-up that is clicked while a message is changed follows it", async () => {
  page = await world.open();
  await say(page, "Tell me about Jack Russel");
  await page.getByRole("button", { name: "Change this message" }).click();
  await last(page).locator(".follow-up").first().click();
  await page.locator("aisha-message").nth(3).waitFor();
  await settled(page);
  assert.equal(await page.locator("aisha-message").count(), 4);
  assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "");
});

test("a changed message follows an answer that wrote, which stays", async () => {
  page = await world.open();
  await say(page, "create a lead Max Muster at Foo AG");
  assert.equal(await last(page).getByRole("button", { name: "Answer again" }).count(), 0);
  await page.getByRole("button", { name: "Change this message" }).click();
  await page.getByText("What was done or asked stays. This is sent as a new message.").waitFor();
  await write(page, "create a lead Moritz Muster at Foo AG");
  await settled(page);
  assert.equal(await page.locator("aisha-message").count(), 4);
  assert.equal((await heard(page, "recordchanged")).length, 2);
});

test("a new answer that fails leaves the old one, and a stopped one goes on", async () => {
  page = await world.open();
  await say(page, "Which company does Jack Russel work for?");
  world.fail(CHAT, { status: 500 });
  await last(page).getByRole("button", { name: "Answer again" }).click();
  await last(page).getByText("Something went wrong on our side").waitFor();
  assert.equal(await page.locator("aisha-message").count(), 4);
  world.hold(CHAT);
  await last(page).getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped.").waitFor();
  await assertClean(page, "stopped with the old answer");
  await last(page).getByRole("button", { name: "Try again" }).click();
  await settled(page);
  assert.equal(await page.locator("aisha-message").count(), 2);
  assert.match(await textOf(last(page)), /ABC Corp/);
});

test("the page of five lines in the documentation works as it stands", async () => {
  const text = await readFile(join(ROOT, "docs", "embedding.md"), "utf8");
  const html = /A whole page:\n\n```html\n([\s\S]*?)```/.exec(text)[1];
  page = await world.open();
  await page.route("**/crm.html", (route) =>
    route.fulfill({ contentType: "text/html", body: html.replace("https://api.example.com", world.url) }),
  );
  await page.route("**/aisha/**", async (route) => {
    const path = new URL(route.request().url()).pathname.replace("/aisha/", "/desk/");
    await route.fulfill({ response: await route.fetch({ url: world.url + path }) });
  });
  await page.route("**/my/token", async (route) => {
    const { token } = await (await fetch(`${world.api}/local/token?user=alice&tenant=demo`)).json();
    await route.fulfill({ body: token });
  });
  await page.goto(`${world.url}/crm.html`);
  assert.match(await say(page, "Show me my warm leads"), /warm/i);
  await page.getByRole("button", { name: "Conversations" }).click();
  await page.locator("aisha-history li").first().waitFor();
});
