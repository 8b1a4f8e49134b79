// Runs test files over one local server, because its start takes longer than most tests. usage: node tests/run.mjs FILE...
// A test that fails in a file that runs alone (node --test FILE) starts a server of its own.
import { spawn } from "node:child_process";
import { World } from "./harness.mjs";

const api = await World.startApi();
const tests = spawn(process.execPath, ["--test", "--test-concurrency=1", "--test-reporter=spec", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, AISHA_TEST_API: api.url },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => tests.kill(signal));
process.exitCode = await new Promise((resolve) => tests.on("exit", (code) => resolve(code ?? 1)));
await api.stop();
