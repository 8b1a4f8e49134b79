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
for (let i = 0; i < 3; i++) {
  const page = await (
    await browser.newContext({ viewport: { width: 1440, height: 1300 }, reducedMotion: "reduce" })
  ).newPage();
  page.on("response", async (r) => {
    if (r.status() >= 400) console.log("HTTP", r.status(), r.url(), r.request().postData());
  });
  await page.goto(url + "/");
  await page.waitForTimeout(4000);
  console.log(
    await page.locator("desk-dashboard").getByText("recommend").count(),
    await page.locator("desk-dashboard").getByText("No recommendation").count(),
  );
  await page.screenshot({ path: "/tmp/desk/01-overview.png" });
}
await browser.close();
server.stdin.end();
setTimeout(() => {
  server.kill("SIGINT");
  process.exit();
}, 1500);
