import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { serverUnderTest } from "@petstore/test-kit/shipped";
import { configDefaults, mergeConfig } from "vitest/config";

export default mergeConfig(serverUnderTest, {
  test: {
    globalSetup: "test/install.ts",
    exclude: [...configDefaults.exclude, ...(hasRuntimes ? [] : ["test/runtimes.test.ts"])],
    // Measurements do not share the processor with compilers and a browser.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
