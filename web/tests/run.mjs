// Runs test files over one local server, because its start takes longer than most tests.
// usage: node tests/run.mjs FILE...
// A test that fails in a file that runs alone (node --test FILE) starts a server of its own.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT, World } from "./harness.mjs";

const folder = await mkdtemp(join(tmpdir(), "aisha-figures-"));
const figures = join(folder, "figures.txt");
await writeFile(figures, "");
const api = await World.startApi();
const tests = spawn(
  process.execPath,
  ["--test", "--test-concurrency=1", "--test-reporter=spec", ...process.argv.slice(2)],
  {
    stdio: "inherit",
    env: { ...process.env, AISHA_TEST_API: api.url, AISHA_TEST_FIGURES: figures },
  },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => tests.kill(signal));
process.exitCode = await new Promise((resolve) => tests.on("exit", (code) => resolve(code ?? 1)));
await api.stop();
const lines = (await readFile(figures, "utf8")).trim().split("\n");
const checks = lines.filter((line) => line.startsWith("axe: ")).map((line) => Number(line.slice(5)));
const found = checks.reduce((sum, count) => sum + count, 0);
console.log(`the element: ${(await startSize()).toFixed(1)} KiB at its start, after gzip`);
for (const line of lines) if (line && !line.startsWith("axe: ")) console.log(line);
console.log(`axe: ${checks.length} states checked, ${found} violations`);
await rm(folder, { recursive: true });

/** Return the KiB, after gzip, of the element's file and those that it imports before it runs. */
async function startSize(file = "assistant.js", seen = new Set()) {
  if (seen.has(file)) return 0;
  seen.add(file);
  const code = await readFile(join(ROOT, "web", "dist", file), "utf8");
  let size = gzipSync(code, { level: 9 }).length / 1024;
  for (const [, path] of code.matchAll(/from"\.\/([^"]+)"/g)) size += await startSize(join(dirname(file), path), seen);
  return size;
}
