import { serverUnderTest } from "@petstore/test-kit/shipped";
import { mergeConfig } from "vitest/config";

export default mergeConfig(serverUnderTest, {
  // What is waited for comes in its own time, on a machine with much to do.
  test: { globalSetup: ["test/check-with-prism.ts", "test/start-postgres.ts"], expect: { poll: { timeout: 10_000 } } },
});
