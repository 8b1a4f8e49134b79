// The pages of docs/embedding.md for HubSpot and Salesforce, on servers that stand in for the vendors'.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { ROOT } from "./harness.mjs";

const PAGES = join(dirname(fileURLToPath(import.meta.url)), "pages");
const DIST = join(ROOT, "web", "dist");
const TYPES = { css: "text/css", js: "text/javascript" };

/** Return the code blocks of a section of docs/embedding.md, in their order. */
export async function examples(section) {
  const text = await readFile(join(ROOT, "docs", "embedding.md"), "utf8");
  const part = text.split(`\n### ${section}\n`)[1].split(/\n##+ /)[0];
  return [...part.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code]) => code);
}

/**
 * Start a server with pages by their paths, each its HTML, or a function of the request's URL that returns an answer.
 * It has the element's files below `/aisha/`. Cookies and storage of its host name are its own.
 */
export async function serve(host = "127.0.0.1") {
  const pages = {};
  const server = createServer(async (request, answer) => {
    const url = new URL(request.url, "http://any");
    const [, file] = /^\/aisha\/([\w./-]+)$/.exec(url.pathname) ?? [];
    const page = file ? { body: await readFile(join(DIST, file)) } : pages[url.pathname];
    const found = typeof page === "function" ? await page(url) : typeof page === "string" ? { body: page } : page;
    const type = TYPES[url.pathname.split(".").pop()] ?? "text/html; charset=utf-8";
    answer.writeHead(found ? (found.status ?? 200) : 404, { "content-type": type, ...found?.headers });
    answer.end(found?.body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => (server.closeAllConnections(), server.close());
  return { url: `http://${host}:${server.address().port}`, pages, stop };
}

/** Return a bundle in which a file of `pages` takes the place of the vendor's modules. */
export async function bundle(contents, standIn, modules) {
  const path = join(PAGES, standIn);
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: PAGES, loader: "tsx" },
    bundle: true,
    write: false,
    format: "esm",
    alias: Object.fromEntries(modules.map((name) => [name, path])),
    jsxFactory: "element",
    jsxFragment: "fragment",
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
  });
  return outputFiles[0].text;
}

/** Return a Visualforce page as Salesforce serves it, whose remote action asks `/token`. */
export function visualforce(source, parameters) {
  const remote = `<script>
    window.AishaToken = {
      issue: (take) => fetch("/token").then((answer) => answer.text()).then((token) => take(token, { status: true })),
    };
  </script>`;
  const html = source
    .replace(/<\/?apex:page[^>]*>/g, "")
    .replace(/\{!HTMLENCODE\(\$CurrentPage\.parameters\.(\w+)\)\}/g, (_, name) => parameters.get(name) ?? "")
    .replace("{!URLFOR($Resource.aisha, 'assistant.js')}", "/aisha/assistant.js")
    .replace("<head>", `<head>${remote}`);
  return `<!doctype html>${html}`;
}
