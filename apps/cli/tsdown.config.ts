import { defineConfig } from "tsdown";
import { billOfMaterials, thirdPartyNotices } from "../../scripts/third-party.ts";

/**
 * A few files without dependencies. What the source loads with `import()` is in files of its own,
 * loaded when it is used.
 */
export default defineConfig({
  entry: { petstore: "src/petstore.ts" },
  format: "cjs", // starts faster than a module
  platform: "node",
  target: "node24",
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  define: { "import.meta.main": "require.main === module" },
  outputOptions: { chunkFileNames: "[name].cjs" },
  plugins: [thirdPartyNotices(), billOfMaterials("application")],
  // It is for CommonJS on purpose: see the format.
  checks: { bundlerTimings: false, legacyCjs: false },
});
