import { fileURLToPath } from "node:url";
import { thirdPartyNotices } from "@petstore/release/third-party";
import sbom from "rollup-plugin-sbom";
import { defineConfig } from "tsdown";

// One file without dependencies. Modules that the source loads with `import()` run only when they are needed.
export default defineConfig({
  entry: { petstore: "src/main.ts" },
  platform: "node",
  target: "node22",
  fixedExtension: false,
  dts: false,
  minify: true,
  treeshake: { propertyReadSideEffects: false },
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: { codeSplitting: false },
  // Of the bar we write the line ourselves, so nothing measures it.
  alias: { "string-width": fileURLToPath(import.meta.resolve("fast-string-truncated-width")) },
  plugins: [lateBuiltins(), thirdPartyNotices(), billOfMaterials()],
  // The plugin looks for bundlers that are not there, to name them.
  inputOptions: { onLog: (level, log, report) => log.plugin === "rollup-plugin-sbom" || report(level, log) },
});

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
