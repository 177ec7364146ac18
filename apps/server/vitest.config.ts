import { mergeConfig } from "vitest/config";
import { serverUnderTest } from "./test/shipped.ts";

export default mergeConfig(serverUnderTest, {
  // What is waited for comes in its own time, on a machine with much to do.
  test: { globalSetup: ["test/check-with-prism.ts", "test/postgres-server.ts"], expect: { poll: { timeout: 10_000 } } },
});
