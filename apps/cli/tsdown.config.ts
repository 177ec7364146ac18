import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { thirdPartyNotices } from "@petstore/release/third-party";
import sbom from "rollup-plugin-sbom";
import { defineConfig, type UserConfig } from "tsdown";

const shared = {
  platform: "node",
  target: "node22",
  fixedExtension: false,
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  // The plugin looks for bundlers that are not there, to name them.
  inputOptions: { onLog: (level, log, report) => log.plugin === "rollup-plugin-sbom" || report(level, log) },
} satisfies UserConfig;

// One file without dependencies. Modules that the source loads with `import()` run only when they are needed.
const program: UserConfig = {
  ...shared,
  entry: { petstore: "src/main.ts" },
  treeshake: { propertyReadSideEffects: false },
  outputOptions: { codeSplitting: false },
  // Of the bar we write the line ourselves, so nothing measures it.
  alias: { "string-width": fileURLToPath(import.meta.resolve("fast-string-truncated-width")) },
  plugins: [lateBuiltins(), thirdPartyNotices(), billOfMaterials()],
};

// The thread of `--jq`, in a folder of its own with everything it needs. Only that option loads it.
const jq: UserConfig = {
  ...shared,
  entry: { worker: "src/jq/worker.ts" },
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

/**
 * Asks Node for its modules instead of importing them: an import takes several times as long, and there are many. Those that only some
 * commands use are asked for when they are used.
 */
function lateBuiltins() {
  const late = /^(?:child_process|crypto|process|readline|stream)\b/;
  // The bundler's own `require` takes node:module, and comes before everything.
  const imports = /^import (?:(?:\* as )?([\w$]+),? )?(?:\{ (.+) \} )?from "node:((?!module).+)";$/gm;

  function ask(_: string, whole: string | undefined, names = "", module: string): string {
    const builtin = `process.getBuiltinModule("${module}")`;
    if (!late.test(module))
      return `const { ${names.replaceAll(" as ", ": ")} } = ${builtin}, ${whole ?? "{}"} = ${builtin};`;
    // Reading a standard stream opens it. Code that imports one of them gets it as an argument instead.
    const all = module === "process" ? "process" : `new Proxy({}, { get: (_, key) => ${builtin}[key] })`;
    const calls = Array.from(names.matchAll(/(\w+)(?: as ([\w$]+))?/g), ([, key, local = key]) => {
      return `${local} = (...values) => ${builtin}.${key}(...values)`;
    });
    return `const ${[`${whole ?? "{}"} = ${all}`, ...calls].join(", ")};`;
  }
  return { name: "late-builtins", renderChunk: (code: string) => code.replace(imports, ask) };
}
