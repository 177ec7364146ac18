import { fileURLToPath } from "node:url";
import { thirdPartyNotices } from "@petstore/release/third-party";
import sbom from "rollup-plugin-sbom";
import { defineConfig } from "tsdown";

// One file that has all it needs: nothing is installed with it. What `import()` names in the source runs when it is asked for.
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

/** What is bundled, for programs that look for known vulnerabilities (CycloneDX). The same source makes the same file. */
function billOfMaterials() {
  return sbom({ outDir: ".", outFilename: "sbom.cdx", includeWellKnown: false, saveTimestamp: false });
}

/**
 * Asks Node for its modules instead of importing them: an import takes several times as long, and there are many. Functions that
 * only some commands call are asked for when they are called.
 */
function lateBuiltins() {
  const prefix = "\0late:";
  const byCall = ["crypto", "readline", "readline/promises", "stream", "stream/consumers", "stream/promises"].map(
    (name) => `node:${name}`,
  );
  return {
    name: "late-builtins",
    resolveId: {
      order: "pre" as const,
      // The bundler's own `require` takes node:module, and comes before everything.
      handler(id: string, importer = "") {
        if (!id.startsWith("node:") || id === "node:module") return undefined;
        const isByCall = byCall.includes(id) && !importer.includes("node_modules");
        return { id: `${prefix}${isByCall ? "call " : ""}${id}`, moduleSideEffects: false };
      },
    },
    async load(id: string) {
      if (!id.startsWith(prefix)) return undefined;
      const name = id.slice(prefix.length).replace("call ", "");
      // The parser can start programs as subcommands. Ours has none, and this is the slowest module of all.
      if (name === "node:child_process") return "export default undefined;";
      // Reading a standard stream opens it. Whoever imports one of them here is given it as an argument.
      if (name === "node:process") return "export default process; export const [stdin, stdout] = [];";
      const names = Object.keys((await import(name)) as object).filter(
        (key) => /^[a-zA-Z]\w*$/.test(key) && key !== "default",
      );
      const builtin = `process.getBuiltinModule(${JSON.stringify(name)})`;
      if (id.startsWith(`${prefix}call `)) {
        return names.map((key) => `export const ${key} = (...values) => ${builtin}.${key}(...values);`).join("\n");
      }
      const exported = names.map((key) => `export const ${key} = builtin.${key};`).join("\n");
      return `const builtin = /* @__PURE__ */ ${builtin};\nexport default builtin;\n${exported}`;
    },
  };
}
