import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    globalSetup: "@petstore/test-kit/chromium-directory",
    exclude: hasRuntimes ? [] : ["test/*.test.ts"],
    passWithNoTests: !hasRuntimes,
    // One Chromium for all files.
    maxWorkers: 1,
    isolate: false,
  },
});
