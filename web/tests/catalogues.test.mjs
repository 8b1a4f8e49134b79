import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./harness.mjs";

const FOLDER = join(ROOT, "web", "src", "assistant", "locales");
const read = async (language) => JSON.parse(await readFile(join(FOLDER, `${language}.json`), "utf8"));
const names = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
const english = { ...(await read("en")), ...(await read("en.views")) };

for (const language of ["de", "es", "fr"]) {
  test(`the catalogue ${language} has every text, with the same values in it`, async () => {
    const catalogue = await read(language);
    assert.deepEqual(Object.keys(catalogue), Object.keys(english));
    for (const [key, text] of Object.entries(catalogue)) {
      assert.ok(text.trim(), key);
      assert.deepEqual(names(text), names(english[key]), key);
    }
  });
}
