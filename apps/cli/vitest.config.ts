import { serverUnderTest } from "@petstore/test-kit/shipped";
import { mergeConfig } from "vitest/config";

// The tests run the built program. CI has built it already.
export default mergeConfig(serverUnderTest, {
  test: { globalSetup: ["test/build.ts"], setupFiles: ["@petstore/test-kit/seed"] },
});
