import { defineConfig, type UserConfig } from "tsdown";
import { billOfMaterials, thirdPartyNotices } from "../../scripts/third-party.ts";

/** Packages that the client uses only for their types, none of which are in its own. */
const neverBundle = ["zod", "@ts-rest/core"];

/**
 * What all entries share. Each is one file, without shared chunks: loading a second file would make
 * every import slower.
 */
const shared = {
  platform: "neutral",
  target: "es2022",
  // The comments of the client are in its types.
  outputOptions: { comments: { jsdoc: false } },
  // Bundles the contract's types and its files without imports, and no package, so that users
  // install no dependencies.
  deps: { alwaysBundle: [/^@petstore\//], neverBundle, onlyBundle: [], onlyImport: [] },
  // Removes bare imports of packages that are used only for their types.
  treeshake: { moduleSideEffects: false },
  // Of no use to those who only build the client: all options that the build uses work, and types
  // take most of its time.
  suppressWarnings: [/^TypeScript 7\.0 does not yet have a stable API/],
  checks: { bundlerTimings: false },
} satisfies UserConfig;

/**
 * An entry of the client as a module, which people read in bundlers and most programs, or for
 * CommonJS.
 */
function client(name: "index" | "int64", format: "esm" | "cjs"): UserConfig {
  return {
    ...shared,
    entry: `src/${name}.ts`,
    format,
    minify: format === "cjs",
    // Types are written once, for CommonJS. A module may import them from there, but not the other
    // way round.
    dts: format === "cjs" && { tsconfig: "../tsconfig.declarations.json" },
    plugins: format === "cjs" ? [moduleOf(name, "d.ts")] : [],
  };
}

/**
 * The fake, with the schemas of the contract and the library that checks them: it is large, so it
 * is shipped once, for CommonJS.
 */
const fake: UserConfig = {
  ...shared,
  entry: "src/testing.ts",
  format: "cjs",
  minify: true,
  dts: { tsconfig: "../tsconfig.declarations.json" },
  deps: {
    alwaysBundle: [/^@petstore\//, /^zod/],
    onlyBundle: ["zod"],
    onlyImport: [],
    dts: { alwaysBundle: [/^@petstore\//], neverBundle },
  },
  inputOptions: {
    // zod marks calls as free of side effects in places where the mark has no meaning.
    onLog: (level, log, report) => log.code === "INVALID_ANNOTATION" || report(level, log),
  },
  plugins: [
    routesOnly(),
    moduleOf("testing", "d.ts", "js"),
    thirdPartyNotices(),
    billOfMaterials("library"),
  ],
};

/**
 * The fake reads the routes of the contract. The rest of ts-rest, more than half of the bundle, is
 * for servers and clients of HTTP.
 */
function routesOnly() {
  const used = "{ router: (routes) => routes, noBody: () => Symbol() }";
  return {
    name: "routes-only",
    resolveId: (id: string) => (id === "@ts-rest/core" ? `\0${id}` : undefined),
    load: (id: string) =>
      id === "\0@ts-rest/core" ? `export const initContract = () => (${used})` : undefined,
  };
}

/** Writes a module that passes on what is written for CommonJS. */
function moduleOf(name: string, ...extensions: ("d.ts" | "js")[]) {
  const source = `export * from "./${name}.cjs";\n`;
  return {
    name: `module-of-${name}`,
    generateBundle(this: {
      emitFile: (file: { type: "asset"; fileName: string; source: string }) => unknown;
    }) {
      for (const extension of extensions)
        this.emitFile({ type: "asset", fileName: `${name}.${extension}`, source });
    },
  };
}

export default defineConfig([
  client("index", "esm"),
  client("index", "cjs"),
  client("int64", "esm"),
  client("int64", "cjs"),
  fake,
]);
