// Builds web/dist: the element (assistant.js with all it needs at first; parts/ has what it loads on demand) and the
// desk (index.html, desk.js, desk.css).
// usage: node build.mjs [--out FOLDER] [--element] [--watch]; prints each file's size and fails when the element is larger than its budget.
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { minify } from "terser";

const MAX_ELEMENT_KIB = 60;
const flag = process.argv.indexOf("--out");
const NOTICE = "/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */";
const OUT = flag > 0 ? process.argv[flag + 1] : "dist";
const isWatching = process.argv.includes("--watch");

// Lit's templates are HTML and CSS in string literals, which the bundler does not minify.
const compactTemplates = {
  name: "compact-templates",
  setup(build) {
    build.onLoad({ filter: /src[\\/](assistant|desk)[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const styled = source.replace(/css`([^`$]*)`/g, (_, css) => `css\`${minifyCss(css)}\``);
      return { contents: styled.replace(/\n\s+/g, "\n"), loader: "ts" };
    });
  },
};

const minifyCss = (css) =>
  esbuild.transformSync(css, { loader: "css", minify: true }).code.trim().replace(/\\/g, "\\\\");

const options = {
  bundle: true,
  format: "esm",
  target: ["es2022", "chrome116", "firefox124", "safari17.4"],
  minify: !isWatching,
  sourcemap: isWatching ? "inline" : false,
  legalComments: "none",
  charset: "utf8",
  outdir: OUT,
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  metafile: true,
  plugins: [compactTemplates],
};

const assistant = { in: "src/assistant/index.ts", out: "assistant" };
const hasDesk = existsSync("src/desk/index.ts") && !process.argv.includes("--element");
const desk = { in: "src/desk/index.ts", out: "desk" };
// Built apart, so that the element has no part with the desk's code in it.
const entries = hasDesk ? [assistant, desk] : [assistant];

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
if (hasDesk) {
  await cp("src/desk/index.html", `${OUT}/index.html`);
  await cp("src/desk/desk.css", `${OUT}/desk.css`);
}

await writeFile(`${OUT}/NOTICES.txt`, await notices());
await writeFile(`${OUT}/assistant.d.ts`, await publicTypes());

if (isWatching) {
  for (const entry of entries) await (await esbuild.context({ ...options, entryPoints: [entry] })).watch();
  console.log("web: watching; Ctrl-C ends");
} else {
  const outputs = {};
  for (const entry of entries)
    Object.assign(outputs, (await esbuild.build({ ...options, entryPoints: [entry] })).metafile.outputs);
  const sizes = new Map();
  for (const path of Object.keys(outputs)) sizes.set(path, await compact(path));
  const needed = neededAtFirst(Object.keys(outputs).find((path) => outputs[path].entryPoint === assistant.in));
  const first = [...needed].reduce((sum, path) => sum + sizes.get(path), 0);
  for (const [path, kib] of sizes) console.log(`web: ${path}: ${kib.toFixed(1)} KiB gzip`);
  console.log(`web: the element at its start: ${first.toFixed(1)} KiB gzip of ${MAX_ELEMENT_KIB}`);
  if (first > MAX_ELEMENT_KIB) {
    console.error(`web: the element is larger than ${MAX_ELEMENT_KIB} KiB`);
    process.exitCode = 1;
  }

  /** Return a bundle and those that it imports before it runs. */
  function neededAtFirst(path, found = new Set()) {
    found.add(path);
    for (const { path: other, kind, external } of outputs[path].imports)
      if (kind === "import-statement" && !external && !found.has(other)) neededAtFirst(other, found);
    return found;
  }
}

/** Make a bundle smaller, and return its size in KiB after gzip. */
async function compact(path) {
  const { code } = await minify(await readFile(path, "utf8"), {
    module: true,
    ecma: 2022,
    compress: { passes: 3, unsafe_arrows: true, pure_getters: true },
    format: { comments: false, preamble: NOTICE },
  });
  await writeFile(path, code);
  return gzipSync(code, { level: 9 }).length / 1024;
}

/** Return the licences of the libraries that the bundles contain. */
async function notices() {
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8"));
  const texts = [];
  for (const name of Object.keys(dependencies).sort()) {
    const folder = `node_modules/${name}`;
    const file = ["LICENSE", "LICENSE.md", "license"].find((one) => existsSync(`${folder}/${one}`));
    const { version, license } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    texts.push(`${name} ${version} (${license})\n\n${file ? await readFile(`${folder}/${file}`, "utf8") : ""}`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

/** Return the declarations of the element's public interface. */
async function publicTypes() {
  const { default: ts } = await import("typescript");
  const source = await readFile("src/assistant/public.ts", "utf8");
  return ts.transpileDeclaration(source, { compilerOptions: { strict: true }, fileName: "assistant.ts" }).outputText;
}
