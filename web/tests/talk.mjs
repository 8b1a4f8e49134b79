// What a user does in the panel, as steps of a test.
import assert from "node:assert/strict";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./harness.mjs";

const AXE = join(ROOT, "web", "node_modules", "axe-core", "axe.min.js");

/** Write a message and press Enter. */
export async function write(page, text) {
  const box = page.locator("aisha-composer textarea");
  await box.fill(text);
  await box.press("Enter");
}

/** The desk on a usual screen. */
export const SCREEN = { page: "../desk/", width: 1440, height: 900 };

/** Open the desk in a new context, at one of its pages. */
export async function openDesk(world, path = "", options = {}) {
  const page = await world.open({ ...SCREEN, ...options });
  await page.locator("desk-changes").waitFor({ state: "attached" });
  if (path) await go(page, path);
  return page;
}

/** Show a page of the desk. */
export const go = (page, path) => page.evaluate((to) => void (location.hash = `#/${to}`), path);

/** Return the desk's texts in a language. */
export const catalogue = async (language) =>
  JSON.parse(await readFile(join(ROOT, "web", "src", "desk", "locales", `${language}.json`), "utf8"));

/** Begin a new conversation, and wait until it is there. */
export async function beginAnew(page) {
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.locator("aisha-welcome").waitFor();
}

/** Write a message, wait for the end of its turn, and return the text of the answer. */
export async function say(page, text) {
  const before = await page.locator("aisha-message").count();
  await write(page, text);
  await page
    .locator("aisha-message")
    .nth(before + 1)
    .waitFor();
  return settled(page);
}

/** Wait until nothing runs any more; return the text of the last message. */
export async function settled(page) {
  await page.locator("aisha-header", { hasNotText: /Working/ }).waitFor();
  await page
    .locator("aisha-composer button[aria-label='Send'], aisha-composer button.send:not([aria-label='Stop'])")
    .waitFor();
  return textOf(last(page));
}

/** Return the visible text of an element with its shadow trees. */
export function textOf(locator) {
  return locator.evaluate((root) => {
    const texts = [];
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent.trim());
      if (!(node instanceof Element)) return;
      if (node.hidden || getComputedStyle(node).display === "none") return;
      for (const child of (node.shadowRoot ?? node).childNodes) walk(child);
    };
    walk(root);
    return texts.filter(Boolean).join(" ");
  });
}

export const last = (page) => page.locator("aisha-message").last();

/** Return the events that the page has heard, by name. */
export async function heard(page, name) {
  return (await page.evaluate(() => window.heard)).filter((event) => event.name === name).map((event) => event.detail);
}

/** Keep a figure for the summary at the end of the tests. */
export async function note(figure) {
  if (process.env.AISHA_TEST_FIGURES) await appendFile(process.env.AISHA_TEST_FIGURES, `${figure}\n`);
}

/** Fail if what is shown has moved by itself further than in a page that is rated as good (web.dev/cls). */
export async function assertSteady(page, state) {
  const moved = await page.evaluate(async () => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) sum += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
    // The entries come later, and where nothing has moved none comes.
    await new Promise((go) => setTimeout(go, 500));
    return sum;
  });
  await note(`layout shift: ${moved.toFixed(3)} of 0.1 in ${state}`);
  assert.ok(moved <= 0.1, `${moved} in ${state}`);
}

/** Fail if axe finds anything, or if anything went wrong in the page. */
export async function assertClean(page, state, scope = "aisha-assistant") {
  assert.deepEqual(page.errors, [], `errors in ${state}`);
  assert.deepEqual(page.foreign, [], `requests to elsewhere in ${state}`);
  // Not by a script element, which the page's policy would refuse.
  await page.evaluate(await readFile(AXE, "utf8"));
  const { violations } = await page.evaluate(
    (included) =>
      axe.run(included, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }),
    scope,
  );
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ") + " " + node.failureSummary).join(" | ")}`,
  );
  await note(`axe: ${found.length}`);
  assert.deepEqual(found, [], `axe in ${state}`);
}
