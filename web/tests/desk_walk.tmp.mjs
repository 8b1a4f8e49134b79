import { spawn } from "node:child_process";
import { chromium } from "playwright-core";
const server = spawn("/tmp/wt/web/.venv/bin/python", ["/tmp/desk/serve.py"], {
  cwd: "/tmp/wt/web",
  env: { ...process.env, PYTHONPATH: "shared:." },
  stdio: ["pipe", "pipe", "ignore"],
});
const url = await new Promise((r) => {
  let t = "";
  server.stdout.on("data", (d) => {
    t += d;
    const m = /http:\/\/\S+/.exec(t);
    if (m) r(m[0]);
  });
});
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await (
  await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "America/New_York",
    reducedMotion: "reduce",
  })
).newPage();
page.on("pageerror", (e) => console.log("PAGEERROR", String(e).slice(0, 300)));
page.on("console", (m) => m.type() === "error" && console.log("CONSOLE", m.text().slice(0, 300)));
page.setDefaultTimeout(15000);
page.on("response", async (r) => {
  if (r.status() >= 400)
    console.log("HTTP", r.status(), r.url(), r.request().postData(), (await r.text().catch(() => "")).slice(0, 300));
});
const shot = (n) => page.screenshot({ path: `/tmp/desk/${n}.png` });
try {
  await page.goto(url + "/");
  await page.waitForSelector("desk-dashboard");
  await page.waitForTimeout(2500);
  await shot("01-overview");
  await page.getByRole("link", { name: "Deals", exact: true }).click();
  await page.waitForSelector("desk-board a.card");
  await page.waitForTimeout(300);
  await shot("02-board");
  const box = page.getByRole("textbox").last();
  await box.fill("What should I do next with Jack Russel?");
  await box.press("Enter");
  await page.waitForTimeout(3500);
  await shot("03-jack");
  await box.fill("Move ABC Corp Pilot Project to negotiation");
  await box.press("Enter");
  await page.waitForTimeout(4500);
  await shot("04-moved");
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.waitForTimeout(3500);
  await shot("05-undone");
  await box.fill("Delete the deal ABC Corp Pilot Project");
  await box.press("Enter");
  await page.waitForTimeout(3500);
  await shot("06-confirm");
  for (const [n, p] of [
    ["07-leads", "leads"],
    ["08-activities", "activities"],
    ["09-calendar", "calendar"],
    ["10-notes", "notes"],
    ["11-settings", "settings"],
    ["12-usage", "console"],
    ["13-turns", "console/turns"],
    ["14-audit", "console/audit"],
    ["15-tools", "console/tools"],
    ["16-assistant", "console/assistant"],
    ["17-documents", "console/documents"],
    ["18-analytics", "console/analytics"],
    ["19-operations", "console/operations"],
  ]) {
    await page.evaluate((x) => (location.hash = "#/" + x), p);
    await page.waitForTimeout(1200);
    await shot(n);
  }
  await page.evaluate(() => (location.hash = "#/console/turns"));
  await page.locator("desk-turns a.link").first().click();
  await page.waitForTimeout(800);
  await shot("20-turn");
  await page.evaluate(() => (location.hash = "#/leads"));
  await page.locator("desk-table a.link").first().click();
  await page.waitForTimeout(1000);
  await shot("21-record");
  await page.getByRole("button", { name: "Light" }).click();
  await page.waitForTimeout(500);
  await shot("22-light");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => (location.hash = "#/opportunities"));
  await page.waitForTimeout(1000);
  await shot("23-phone");
} catch (e) {
  console.log("ERR", String(e).slice(0, 600));
  await shot("99-error");
}
await browser.close();
server.stdin.end();
setTimeout(() => {
  server.kill("SIGINT");
  process.exit();
}, 1500);
