// Builds web/dist: the element (assistant.js, one file with all it needs) and the desk (index.html, desk.js, desk.css).
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

// English is part of the element; another language is a file beside it, which only its speakers load.
const LANGUAGES = ["de", "es", "fr"];
const cataloguesBeside = {
  name: "catalogues-beside",
  setup(build) {
    build.onResolve({ filter: /^\.\/locales\/(de|es|fr)\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

const options = {
  bundle: true,
  format: "esm",
  target: ["es2022", "chrome116", "firefox124", "safari17.4"],
  minify: !isWatching,
  sourcemap: isWatching ? "inline" : false,
  legalComments: "none",
  charset: "utf8",
  outdir: OUT,
  plugins: [compactTemplates, cataloguesBeside],
};

const entries = [{ in: "src/assistant/index.ts", out: "assistant" }];
const catalogues = LANGUAGES.map((name) => ({ in: `src/assistant/locales/${name}.json`, out: `locales/${name}` }));
const hasDesk = existsSync("src/desk/index.ts") && !process.argv.includes("--element");
if (hasDesk) entries.push({ in: "src/desk/index.ts", out: "desk" });

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
if (hasDesk) {
  await cp("src/desk/index.html", `${OUT}/index.html`);
  await cp("src/desk/desk.css", `${OUT}/desk.css`);
}

await writeFile(`${OUT}/NOTICES.txt`, await notices());
await writeFile(`${OUT}/assistant.d.ts`, await publicTypes());

if (isWatching) {
  const context = await esbuild.context({ ...options, entryPoints: [...entries, ...catalogues] });
  await context.watch();
  console.log("web: watching; Ctrl-C ends");
} else {
  await esbuild.build({ ...options, entryPoints: [...entries, ...catalogues] });
  for (const { out } of entries) {
    const path = `${OUT}/${out}.js`;
    const { code } = await minify(await readFile(path, "utf8"), {
      module: true,
      ecma: 2022,
      compress: { passes: 3, unsafe_arrows: true },
      format: { comments: false, preamble: NOTICE },
    });
    await writeFile(path, code);
    const kib = gzipSync(await readFile(path), { level: 9 }).length / 1024;
    console.log(`web: ${path}: ${kib.toFixed(1)} KiB gzip`);
    if (out === "assistant" && kib > MAX_ELEMENT_KIB) {
      console.error(`web: the element is larger than ${MAX_ELEMENT_KIB} KiB`);
      process.exitCode = 1;
    }
  }
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
