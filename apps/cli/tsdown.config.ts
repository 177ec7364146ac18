import { defineConfig } from "tsdown";
import { billOfMaterials, thirdPartyNotices } from "../../scripts/third-party.ts";

/** One file without dependencies. */
export default defineConfig({
  entry: { petstore: "src/main.ts" },
  format: "cjs", // starts faster than a module
  platform: "node",
  target: "node24",
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  define: { "import.meta.main": "require.main === module" },
  outputOptions: { codeSplitting: false },
  plugins: [thirdPartyNotices(), billOfMaterials("application")],
});
