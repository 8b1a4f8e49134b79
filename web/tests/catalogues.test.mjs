import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./harness.mjs";

const read = async (part, file) =>
  JSON.parse(await readFile(join(ROOT, "web", "src", part, "locales", `${file}.json`), "utf8"));
const names = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
const ENGLISH = {
  assistant: { ...(await read("assistant", "en")), ...(await read("assistant", "en.views")) },
  desk: await read("desk", "en"),
};

for (const [part, english] of Object.entries(ENGLISH)) {
  for (const language of ["de", "es", "fr"]) {
    test(`the ${part}'s catalogue ${language} has every text, with the same values in it`, async () => {
      const catalogue = await read(part, language);
      assert.deepEqual(Object.keys(catalogue), Object.keys(english));
      for (const [key, text] of Object.entries(catalogue)) {
        assert.ok(text.trim(), key);
        assert.deepEqual(names(text), names(english[key]), key);
      }
    });
  }
}
