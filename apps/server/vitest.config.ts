import { mergeConfig } from "vitest/config";
import { serverUnderTest } from "./test/shipped.ts";

export default mergeConfig(serverUnderTest, {
  test: {
    globalSetup: ["test/check-with-prism.ts", "test/postgres-server.ts"],
    // What is waited for comes in its own time, on a machine with much to do.
    testTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
