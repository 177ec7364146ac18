import { defineConfig, type UserConfig } from "tsdown";
import { thirdPartyNotices } from "../../scripts/third-party.ts";
import packageJson from "./package.json" with { type: "json" };

/** An entry in one format. It is one file, without shared chunks: loading a second file would make every import slower. */
function build(name: "index" | "int64" | "testing", format: "esm" | "cjs"): UserConfig {
  const extension = format === "esm" ? "js" : "cjs";
  return {
    entry: `src/${name}.ts`,
    format,
    platform: "neutral",
    target: "es2022",
    // People read the client where bundlers and most programs use it. Its comments are in its types.
    minify: name === "testing" || format === "cjs",
    outputOptions: { comments: { jsdoc: false } },
    // Types are written once, for CommonJS. An ES module may import them from there, but not the other way round.
    dts: format === "cjs" && { tsconfig: "../tsconfig.declarations.json" },
    // Bundles the types of the contract and its files without imports, so that users install no dependencies. Only the fake contains
    // third-party code: the schemas of the contract.
    deps:
      name === "testing"
        ? {
            alwaysBundle: [/^@petstore\//, /^zod/, "@ts-rest/core"],
            onlyBundle: [/^@petstore\//, "zod", "@ts-rest/core"],
          }
        : { alwaysBundle: [/^@petstore\//], neverBundle: ["zod", "@ts-rest/core"], onlyBundle: [/^@petstore\//] },
    // Removes bare imports of packages that are used only for their types.
    treeshake: { moduleSideEffects: false },
    plugins: [
      ...(name === "testing" ? [thirdPartyNotices()] : []),
      // Of its own package.json, the client needs only the version.
      {
        name: "version-of-the-client",
        load: {
          filter: { id: /\/client\/package\.json$/ },
          handler: () => ({ code: JSON.stringify({ version: packageJson.version }), moduleType: "json" as const }),
        },
      },
      {
        name: "types-of-commonjs",
        generateBundle() {
          if (format === "esm")
            this.emitFile({ type: "asset", fileName: `${name}.d.ts`, source: `export * from "./${name}.cjs";\n` });
        },
      },
      {
        // The fake must throw the error classes of the client, so that `instanceof` works.
        name: "client-of-the-fake",
        resolveId: {
          filter: { id: name === "testing" ? /^\.\/(?:index|errors)\.ts$/ : /^$/ },
          // Not the errors of the contract.
          handler: (_id, importer = "") =>
            importer.includes("/client/src/") ? { id: `./index.${extension}`, external: true } : undefined,
        },
      },
    ],
  };
}

export default defineConfig([
  build("index", "esm"),
  build("index", "cjs"),
  build("int64", "esm"),
  build("int64", "cjs"),
  build("testing", "esm"),
  build("testing", "cjs"),
]);
