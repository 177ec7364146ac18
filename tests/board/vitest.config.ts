import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { serverUnderTest } from "@petstore/test-kit/shipped";
import { configDefaults, mergeConfig } from "vitest/config";

export default mergeConfig(serverUnderTest, {
  test: {
    globalSetup: "@petstore/test-kit/chromium-directory",
    expect: { poll: { timeout: 20_000 } },
    exclude: [...configDefaults.exclude, ...(hasRuntimes ? [] : ["test/*.test.ts"])],
    passWithNoTests: !hasRuntimes,
    // Each worker has one Chromium for all its files. Pages keep the processors busy: more workers would only slow them down.
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
