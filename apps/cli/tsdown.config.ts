import { defineConfig } from "tsdown";

// One file that has all it needs: nothing is installed with it. Whatever `import()` names in the source is run when it is asked for.
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
  plugins: [lateBuiltins()],
});

/**
 * Lets a module of Node's be loaded when the module that imports it runs. As imports of the one file all of them would be loaded at
 * the start, which takes longer than all else that `petstore --help` does.
 */
function lateBuiltins() {
  const prefix = "\0late:";
  return {
    name: "late-builtins",
    resolveId: {
      order: "pre" as const,
      handler: (id: string) => (id.startsWith("node:") ? { id: prefix + id, moduleSideEffects: false } : undefined),
    },
    async load(id: string) {
      if (!id.startsWith(prefix)) return undefined;
      const name = id.slice(prefix.length);
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
