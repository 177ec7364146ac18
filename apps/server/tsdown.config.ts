import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type Rolldown, type UserConfig } from "tsdown";
import rootPackage from "../../package.json" with { type: "json" };
import { thirdPartyNotices } from "../../scripts/third-party.ts";
import { writerModule } from "./src/store/sqlite/writer-module.ts";
import { readBoard } from "./src/web-pages/board-files.ts";
import { readReference } from "./src/web-pages/reference-files.ts";

// The programs of the pages are not imported, and so not seen by the plugin.
const otherNotices = ["scalar-notices.txt", "../web/built/THIRD-PARTY-NOTICES"].map((path) =>
  readFileSync(new URL(path, import.meta.url), "utf8"),
);

const [leastMajor, leastMinor] = rootPackage.engines.node.replace(">=", "").split(".");

/** Runs before everything else. */
const nodeCheck = `{
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < ${leastMajor} || (major === ${leastMajor} && minor < ${leastMinor})) {
    console.error(\`petstore-server needs Node ${leastMajor}.${leastMinor} or newer; this is \${process.version}\`);
    process.exit(78); // the configuration is wrong
  }
}`;

/** Inlines the migrations, with the text of their files. */
const migrations: Rolldown.Plugin = {
  name: "migrations",
  load: {
    filter: { id: /\/src\/store\/\w+\/migrations\.ts$/ },
    async handler(id) {
      const exported = (await import(id)) as Record<string, unknown>;
      return Object.entries(exported)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  },
};

/** An expression with this value. */
function toCode(content: Buffer): string {
  return `Buffer.from("${content.toString("base64")}", "base64")`;
}

const asOneFile = {
  platform: "node" as const,
  dts: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: {
    codeSplitting: false,
    // V8 keeps the source, with two bytes for each character unless all of it is ASCII.
    charset: "ascii",
    comments: { legal: true, annotation: false, jsdoc: false },
  },
  checks: { bundlerTimings: false },
} satisfies UserConfig;

// One file that runs in an empty directory. It ends in .mjs, so that it needs no package.json.
export default defineConfig({
  ...asOneFile,
  entry: { "petstore-server": "src/shipped.ts" },
  // Syntax that an older Node can parse, so that it can report that it is too old.
  target: "node18",
  banner: nodeCheck,
  plugins: [
    thirdPartyNotices(otherNotices),
    migrations,
    {
      // An older Node fails before it runs if an import names something that it lacks. So these are
      // read when the program runs.
      name: "late-builtins",
      resolveId: { filter: { id: /^node:(?!module$)/ }, handler: (id) => `\0${id}` },
      load: {
        filter: { id: /^\0node:/ },
        handler: (id) => `module.exports = process.getBuiltinModule("${id.slice(1)}");`,
      },
    },
    {
      // Express brings parsers of bodies, with tables of old encodings. The server has its own: see
      // src/api/body.ts.
      name: "no-body-parsers",
      resolveId: { filter: { id: /^body-parser$/ }, handler: (id) => `\0${id}` },
      load: { filter: { id: /^\0body-parser$/ }, handler: () => "module.exports = {};" },
    },
    {
      // Code of a separate thread, inlined so that one file is enough. Loading the whole bundle
      // would slow its start.
      name: "writer-thread",
      load: {
        filter: { id: /\/src\/store\/sqlite\/writer-module\.ts$/ },
        async handler() {
          const [bundle] = await build({
            ...asOneFile,
            config: false,
            plugins: [migrations],
            // without a name, the path would be a glob: it may contain (1)
            entry: { writer: fileURLToPath(writerModule) },
            write: false,
            clean: false, // it would be the directory of the program
            logLevel: "warn",
          });
          const [chunk] = bundle?.chunks ?? [];
          if (chunk?.type !== "chunk")
            throw new Error("The thread of the SQLite store was not built");
          const base64 = Buffer.from(chunk.code).toString("base64");
          return `export const writerModule = new URL("data:text/javascript;base64,${base64}");`;
        },
      },
    },
    {
      name: "board",
      load: {
        filter: { id: /\/src\/web-pages\/board-files\.ts$/ },
        async handler() {
          const { page, help, assets } = await readBoard();
          const contents = Object.entries(assets).map(
            ([name, content]) => `"${name}": ${toCode(content)}`,
          );
          const pages = JSON.stringify({ page, help }).slice(1, -1);
          return `export const readBoard = async () => ({ ${pages}, assets: { ${contents.join(", ")} } });`;
        },
      },
    },
    {
      name: "reference-page",
      load: {
        filter: { id: /\/src\/web-pages\/reference-files\.ts$/ },
        async handler() {
          const { program, logo } = await readReference();
          return `export const readReference = async () => ({ program: ${toCode(program)}, logo: ${JSON.stringify(logo)} });`;
        },
      },
    },
  ],
});
