import { arch, platform } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

// The other versions of Node and Chromium come as packages for this platform alone.
const hasRuntimes = platform() === "linux" && arch() === "x64";

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
