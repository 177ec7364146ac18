import { configDefaults, defineConfig } from "vitest/config";
import { hasRuntimes } from "./test/runtimes.ts";

export default defineConfig({
  test: {
    globalSetup: "test/install.ts",
    exclude: [...configDefaults.exclude, ...(hasRuntimes ? [] : ["test/runtimes.test.ts"])],
    // Measurements do not share the processor with compilers and a browser.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
