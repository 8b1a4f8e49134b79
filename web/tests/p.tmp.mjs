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
const page = await browser.newPage();
await page.goto(url + "/");
await page.waitForTimeout(3000);
const out = await page.evaluate(async () => {
  const t = (await (await fetch("/local/token?user=alice&tenant=demo")).json()).token;
  const r = [];
  const h = { "content-type": "application/json", authorization: "Bearer " + t };
  r.push((await fetch("/api/ai/next-step", { method: "POST", body: "{}", headers: h })).status);
  r.push((await fetch(new Request("/api/ai/next-step", { method: "POST", body: "{}", headers: h }))).status);
  const q = new Request("/api/ai/next-step", { method: "POST", body: "{}", headers: h });
  r.push((await fetch(new Request(q.clone(), { headers: q.headers }))).status);
  r.push(
    (
      await fetch(
        new Request(q.clone(), {
          headers: q.headers,
          credentials: "omit",
          redirect: "error",
          referrerPolicy: "no-referrer",
        }),
      )
    ).status,
  );
  const el = document.querySelector("aisha-desk");
  try {
    r.push((await el.client.rest.POST("/api/ai/next-step", { body: {} })).response.status);
  } catch (e) {
    r.push(String(e), e.status);
  }
  return r;
});
console.log(JSON.stringify(out));
await browser.close();
server.stdin.end();
setTimeout(() => {
  server.kill("SIGINT");
  process.exit();
}, 1500);
