// Reads a JSON list of texts and writes the number of tokens of each, as OpenAI's current models count them.
import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const texts = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => encode(text).length)));
