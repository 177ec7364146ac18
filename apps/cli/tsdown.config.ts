import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { thirdPartyNotices } from "@petstore/release/third-party";
import sbom from "rollup-plugin-sbom";
import { defineConfig, type UserConfig } from "tsdown";

const shared = {
  platform: "node",
  target: "node22",
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  // The plugin looks for bundlers that are not there, to name them.
  inputOptions: { onLog: (level, log, report) => log.plugin === "rollup-plugin-sbom" || report(level, log) },
} satisfies UserConfig;

/**
 * A few files without dependencies. What the source loads with `import()` is in a file of its own, loaded when it is used.
 *
 * CommonJS starts faster: `import` reads every export of a module of Node, which loads much of Node.
 */
const program: UserConfig = {
  ...shared,
  entry: { petstore: "src/main.ts" },
  format: "cjs",
  define: { "import.meta.main": "require.main === module" },
  treeshake: { propertyReadSideEffects: false },
  outputOptions: {
    chunkFileNames: "[name].cjs",
    codeSplitting: {
      // Few files, because each takes time to find and read: all that every command needs, and all that several need.
      groups: [
        { name: "start", tags: ["$initial"], test: /^(?!.*\/src\/main\.ts$)/, priority: 1 },
        { name: "shared", minShareCount: 2 },
      ],
    },
  },
  // Of the bar we write the line ourselves, so nothing measures it.
  alias: { "string-width": fileURLToPath(import.meta.resolve("fast-string-truncated-width")) },
  plugins: [withoutChildProcess(), thirdPartyNotices(), billOfMaterials()],
};

// The thread of `--jq`, in a folder of its own with everything it needs. Only that option loads it.
const jq: UserConfig = {
  ...shared,
  entry: { worker: "src/jq/worker.ts" },
  fixedExtension: false,
  outDir: "dist/jq",
  plugins: [
    thirdPartyNotices([readFileSync(new URL("jq-notices.txt", import.meta.url), "utf8")]),
    billOfMaterials(),
    compressedJq(),
  ],
};

export default defineConfig([program, jq]);

function compressedJq() {
  const wasm = readFileSync(new URL(import.meta.resolve("jq-wasm/jq.wasm")));
  // The highest quality, 11, would save a tenth and take seconds.
  const source = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return {
    name: "compressed-jq",
    generateBundle(this: { emitFile(file: { type: "asset"; fileName: string; source: Uint8Array }): string }) {
      this.emitFile({ type: "asset", fileName: "jq.wasm.br", source });
    },
  };
}

/** The bundled packages, for programs that look for known vulnerabilities (CycloneDX). The same source gives the same file. */
function billOfMaterials() {
  return sbom({ outDir: ".", outFilename: "sbom.cdx", includeWellKnown: false, saveTimestamp: false });
}

/** The parser can run other programs as commands, and loads what that needs. Ours are all in this package. */
function withoutChildProcess() {
  return {
    name: "without-child-process",
    resolveId(id: string, importer = "") {
      return id === "node:child_process" && importer.includes("/commander/") ? `\0${id}` : undefined;
    },
    load: (id: string) => (id === "\0node:child_process" ? "export default {};" : undefined),
  };
}
