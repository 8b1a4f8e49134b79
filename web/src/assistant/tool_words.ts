/** The words for what a tool does, such as "Searching leads", in the user's language. */

import { readable, type Words } from "./words.js";

const VERBS = ["search", "get", "list", "create", "update", "delete"] as const;

/** Return the words of a tool's name; a tool without words of its own is described by its name. */
export function toolWords(tool: string, words: Words): string {
  const own = words.named("does_", tool, "");
  if (own) return own;
  const [verb, ...rest] = tool.split("_");
  const known = VERBS.find((one) => one === verb);
  if (!known || !rest.length) return readable(tool);
  const what = rest.join("_");
  return words.say(`tool_${known}`, {
    what: words.named("types_", what, words.named("type_", what, readable(what).toLowerCase())),
  });
}
