// Chromium, the real local API, and between them a proxy that serves test pages and makes the network fail on demand.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, beforeEach } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const PYTHON = join(ROOT, ".venv", "bin", "python");
const PAGES = join(ROOT, "web", "tests", "pages");
const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css" };
const STARTED = /AiSHA is at (http:\/\/\S+?),/;
const START_SECONDS = 300;
/** The longest that a step may take: a limit for what hangs, far above what a busy machine needs. */
const STEP_MS = 120_000;

/** Return the browser's path, or null on a machine without one. */
export function chromiumPath() {
  return CHROMIUM.find((path) => path && existsSync(path)) ?? null;
}

/** Wait until a condition holds; `what` says in the error what did not happen. */
export async function until(condition, what) {
  const end = Date.now() + STEP_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`There was not: ${what}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}

const startPortal = () => startPython(["-m", "tests.support.tenants.portal"], {}, /(http:\/\/\S+)/);

/** Start a program and wait until it prints its address; return its `url` and how to `stop` it. */
async function startPython(args, settings, printed) {
  const python = spawn(PYTHON, args, { cwd: ROOT, env: { ...process.env, PYTHONPATH: "shared:.", ...settings } });
  const ended = new Promise((resolve) => python.on("exit", resolve));
  const stop = async () => {
    python.kill("SIGINT");
    await ended;
  };
  let output = "";
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      python.kill("SIGKILL");
      reject(new Error(`It did not start: ${output}`));
    }, START_SECONDS * 1000);
    const read = (chunk) => {
      output += chunk;
      const found = printed.exec(output);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[1]);
    };
    python.stdout.on("data", read);
    python.stderr.on("data", read);
    python.on("exit", () => reject(new Error(`It ended: ${output}`)));
  });
  return { url, stop };
}

/** Start the world of a test file; it is reset before each test, and after it all pages are closed. */
export async function startWorld() {
  const world = await World.start();
  after(() => world.stop());
  beforeEach(() => world.reset());
  afterEach(() => Promise.all(world.browser.contexts().map((context) => context.close())));
  return world;
}

/** The server, the proxy and the browser of one test file. */
export class World {
  /** Faults by their order: `{ match, times, status, headers, body, paceMs, cutAfter, drop, held }`. */
  faults = [];
  requests = [];

  /**
   * Start a world over the server of `run.mjs`, or one of its own. With `isConnected` the tenant's records are in
   * another CRM, whose team has stages of its own; with `settings` the server has these in its environment.
   */
  static async start({ isConnected = false, settings } = {}) {
    const world = new World();
    try {
      await world.#begin(isConnected, settings);
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async #begin(isConnected, settings) {
    const shared = process.env.AISHA_TEST_API;
    if (isConnected) this.portal = await startPortal();
    if (isConnected || settings || !shared) this.own = await World.startApi(this.portal?.url, settings);
    this.api = this.own?.url ?? shared;
    this.server = createServer((incoming, answer) => void this.#handle(incoming, answer));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    const desk = await fetch(`${this.api}/desk/`);
    this.policy = desk.headers.get("content-security-policy");
    this.browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"],
    });
  }

  /** Start the local server with data of its own, over a CRM at `crm` if given; return its `url` and its `stop`. */
  static async startApi(crm = "", more = {}) {
    const folder = await mkdtemp(join(tmpdir(), "aisha-web-"));
    const args = ["-m", "infra.local.cli", "serve", "--port", "0", "--folder", folder];
    if (crm) args.push("--crm", "hubspot", "--crm-url", crm);
    const settings = { AISHA_MEMORY: "", AISHA_RATE_LIMIT_USER: "", AISHA_TURN_SECONDS: "60", ...more };
    const started = await startPython(args, { ...settings, ...(crm ? { CRM_TOKEN: "pat-na1-test" } : {}) }, STARTED);
    const stop = async () => {
      await started.stop();
      await rm(folder, { recursive: true, force: true });
    };
    return { url: started.url, stop };
  }

  async stop() {
    await this.browser?.close();
    this.server?.closeAllConnections();
    this.server?.close();
    await this.own?.stop();
    await this.portal?.stop();
  }

  /** Open a test page in a new context; `errors` collects what goes wrong in it, `foreign` requests to elsewhere. */
  async open({ page: name = "plain.html", query = "", width = 400, height = 820, ...options } = {}) {
    const context = await this.browser.newContext({
      viewport: { width, height },
      locale: "en-US",
      timezoneId: "America/New_York",
      reducedMotion: "reduce",
      ...options,
    });
    const page = await context.newPage();
    page.errors = [];
    page.foreign = [];
    page.on("pageerror", (error) => page.errors.push(String(error)));
    page.on("console", (message) => {
      // A failed request is reported by the browser itself; the element tells the user.
      const isRequest = /Failed to load resource|net::ERR/.test(message.text());
      if (message.type() === "error" && !isRequest) page.errors.push(message.text());
    });
    page.on("request", (one) => {
      if (!/^(blob|data):/.test(one.url()) && !one.url().startsWith(this.url)) page.foreign.push(one.url());
    });
    page.setDefaultTimeout(STEP_MS);
    await page.goto(`${this.url}/test/${name}${query}`);
    return page;
  }

  async reset() {
    this.faults = [];
    this.requests = [];
    await fetch(`${this.api}/local/reset`, { method: "POST" });
  }

  /** Call the API as a user, without the page. */
  async call(method, path, body, user = "alice", accept = "application/json") {
    const { token } = await (await fetch(`${this.api}/local/token?user=${user}&tenant=demo`)).json();
    const response = await fetch(this.api + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    if (response.status === 204) return null;
    return accept === "application/json" ? response.json() : response.text();
  }

  /** Return the JSON bodies that were sent to a path, in their order. */
  sent(name) {
    return this.requests.filter((one) => one.name === name).map((one) => JSON.parse(one.body));
  }

  /** Wait for a request, and return the bodies that were sent to its path. */
  async awaited(name) {
    await until(() => this.sent(name).length, `a request of ${name}`);
    return this.sent(name);
  }

  /** Make the next requests whose "METHOD path" matches fail; see `faults`. */
  fail(match, fault) {
    this.faults.push({ match, times: 1, ...fault });
  }

  /** Let the next request whose "METHOD path" matches wait; return the function that lets it go on. */
  hold(match) {
    let release;
    this.fail(match, { held: new Promise((resolve) => (release = resolve)) });
    return release;
  }

  async #handle(incoming, answer) {
    const path = incoming.url.split("?")[0];
    if (path.startsWith("/test/")) return this.#page(path, answer);
    const name = `${incoming.method} ${path}`;
    const body = Buffer.concat(await incoming.toArray());
    this.requests.push({ name, headers: incoming.headers, body: body.toString() });
    const fault = this.faults.find((one) => one.match.test(name) && one.times > 0);
    if (fault) fault.times -= 1;
    await fault?.held;
    if (fault?.drop) return incoming.socket.destroy();
    if (fault?.status) {
      answer.writeHead(fault.status, { "content-type": "application/problem+json", ...fault.headers });
      const isWhole = typeof fault.body === "string" || Buffer.isBuffer(fault.body);
      const text = isWhole ? fault.body : JSON.stringify(fault.body ?? {});
      if (fault.paceMs) return void this.#pace(answer, text, fault.paceMs);
      // A stream that is held shows the element at work.
      return fault.holdMs ? void answer.write(text) : answer.end(text);
    }
    this.#forward(incoming, answer, fault, body);
  }

  /** Answer with a stream's events, one after the other, as a model writes. */
  async #pace(answer, text, paceMs) {
    for (const event of text.split(/(?<=\n\n)/)) {
      answer.write(event);
      await new Promise((go) => setTimeout(go, paceMs));
    }
    answer.end();
  }

  #forward(incoming, answer, fault, body) {
    const target = new URL(incoming.url, this.api);
    const { method, headers } = incoming;
    // A connection of its own: one that is kept may be closed by the server at the moment in which it is used again.
    const options = { method, headers: { ...headers, host: target.host }, agent: false };
    const upstream = request(target, options, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      let text = "";
      response.on("data", (chunk) => {
        if (fault?.cutAfter) {
          // The connection breaks after the event of this type.
          text += chunk;
          const end = text.indexOf(fault.cutAfter);
          if (end >= 0) {
            const stop = text.indexOf("\n\n", end) + 2;
            answer.write(text.slice(text.length - chunk.length, stop));
            setTimeout(() => incoming.socket.destroy(), 20);
            return upstream.destroy();
          }
        }
        answer.write(chunk);
      });
      response.on("end", () => answer.end());
    });
    upstream.on("error", () => incoming.socket.destroy());
    answer.on("close", () => upstream.destroy());
    upstream.end(body);
  }

  async #page(path, answer) {
    const name = path.slice("/test/".length);
    try {
      const file = await readFile(join(PAGES, name.replace(/[^\w.-]/g, "")));
      const headers = { "content-type": TYPES[name.split(".").pop()], "content-security-policy": this.policy };
      answer.writeHead(200, headers);
      answer.end(file);
    } catch {
      answer.writeHead(404);
      answer.end();
    }
  }
}
