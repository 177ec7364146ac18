import { serverUnderTest } from "@petstore/test-kit/shipped";
import { mergeConfig } from "vitest/config";

export default mergeConfig(serverUnderTest, {
  test: {
    globalSetup: ["test/check-with-prism.ts", "@petstore/test-kit/postgres-server"],
    setupFiles: ["@petstore/test-kit/seed"],
    isolate: false,
    // On a busy machine, conditions take longer to come true.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
