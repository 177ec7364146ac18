import { defineConfig, type UserConfig } from "tsdown";
import { billOfMaterials, thirdPartyNotices } from "../../scripts/third-party.ts";

const shared = {
  platform: "node",
  target: "node24",
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/./], onlyBundle: false },
} satisfies UserConfig;

/**
 * Keeps the compiled code for the next start. The directory is the user's own: in a shared one, others could leave code for us. If it
 * cannot be written, Node goes on without it.
 */
const compileCache = `if (require.main === module) {
  const { XDG_CACHE_HOME: given = "", HOME, LOCALAPPDATA } = process.env;
  const home = given.startsWith("/") ? given : process.platform === "win32" ? LOCALAPPDATA : HOME && HOME + "/.cache";
  if (home) require("node:module").enableCompileCache(home + "/petstore");
}`;

/**
 * A few files without dependencies. What the source loads with `import()` is in a file of its own, loaded when it is used.
 *
 * CommonJS starts faster: `import` reads every export of a module of Node, which loads much of Node.
 */
const program: UserConfig = {
  ...shared,
  entry: { petstore: "src/main.ts" },
  format: "cjs",
  banner: ({ fileName }) => (fileName.endsWith("petstore.cjs") ? compileCache : ""),
  define: { "import.meta.main": "require.main === module" },
  treeshake: { propertyReadSideEffects: false },
  outputOptions: {
    // The commands are in folders of their names.
    chunkFileNames: ({ name, facadeModuleId }) =>
      `${/commands[\\/](\w+)[\\/]run\.ts$/.exec(facadeModuleId ?? "")?.[1] ?? name}.cjs`,
    codeSplitting: {
      // Few files, because each takes time to find and read: all that every command needs, all that several need, and tables.
      groups: [
        { name: "start", tags: ["$initial"], test: /^(?!.*[\\/]src[\\/]main\.ts$)/, priority: 1 },
        { name: "shared", minShareCount: 2, test: /^(?!.*(?:[\\/]table\.ts$|fast-string))/, priority: 1 },
        // Measures text, which takes large expressions.
        { name: "table", test: /[\\/]table\.ts$|fast-string/ },
      ],
    },
  },
  plugins: [withoutPrograms(), withoutUnusedRuntime(), thirdPartyNotices(), billOfMaterials("application")],
};

export default defineConfig(program);

/** The bundler loads its runtime even in files that do not use it. */
function withoutUnusedRuntime() {
  return {
    name: "without-unused-runtime",
    generateBundle(_options: unknown, files: Record<string, { code?: string }>) {
      for (const file of Object.values(files)) {
        file.code &&= file.code.replace(/(?:^|,)require\("\.\/rolldown-runtime\.cjs"\);/m, ";");
      }
    },
  };
}

/** The parser can run other programs as commands, and loads what that needs. Ours are all in this package. */
function withoutPrograms() {
  const modules: Readonly<Record<string, string>> = {
    "node:child_process": "export default {};",
    "node:fs": "export default {};",
    "node:path": "export default {};",
    "node:process": "export default globalThis.process;",
  };
  return {
    name: "without-programs",
    resolveId(id: string, importer = "") {
      return id in modules && /[\\/]commander[\\/]/.test(importer) ? `\0${id}` : undefined;
    },
    load: (id: string) => (id.startsWith("\0") ? modules[id.slice(1)] : undefined),
  };
}
