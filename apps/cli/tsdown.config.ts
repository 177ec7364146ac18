import { defineConfig } from "tsdown";

// All it needs is in it: nothing is installed with it. What every command line needs is one file, because each takes time to load;
// what `import()` names in the source is a file of its own, because Node would read all of it only to print help.
export default defineConfig({
  entry: { petstore: "src/main.ts" },
  platform: "node",
  target: "node22",
  fixedExtension: false,
  dts: false,
  minify: true,
  treeshake: { propertyReadSideEffects: false },
  deps: { alwaysBundle: [/./], onlyBundle: false },
  inputOptions: { preserveEntrySignatures: false },
  outputOptions: { chunkFileNames: "[name].js" },
  plugins: [lateBuiltins()],
});

/**
 * Asks Node for its modules instead of importing them: an import takes several times as long, and there are many.
 */
function lateBuiltins() {
  const prefix = "\0late:";
  return {
    name: "late-builtins",
    resolveId: {
      order: "pre" as const,
      // The bundler's own `require` takes node:module, and comes before everything.
      handler(id: string, importer: string | undefined) {
        if (!id.startsWith("node:") || id === "node:module") return undefined;
        // Not shared between importers: what two files share would be a third one.
        return { id: `${prefix}${id}?${importer}`, moduleSideEffects: false };
      },
    },
    async load(id: string) {
      if (!id.startsWith(prefix)) return undefined;
      const [name = ""] = id.slice(prefix.length).split("?");
      // The parser can start programs as subcommands. Ours has none, and this is the slowest module of all.
      if (name === "node:child_process") return "export default undefined;";
      // Reading a standard stream opens it. Whoever imports one of them here is given it as an argument.
      if (name === "node:process") return "export default process; export const [stdin, stdout] = [];";
      const names = Object.keys((await import(name)) as object).filter(
        (key) => /^[a-zA-Z]\w*$/.test(key) && key !== "default",
      );
      const exported = names.map((key) => `export const ${key} = builtin.${key};`).join("\n");
      return `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)});\nexport default builtin;\n${exported}`;
    },
  };
}
