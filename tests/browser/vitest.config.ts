import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    globalSetup: "@petstore/test-chromium/chromium-directory",
    exclude: hasRuntimes ? [] : ["test/**"],
    passWithNoTests: !hasRuntimes,
    // One Chromium for all files.
    maxWorkers: 1,
    isolate: false,
    // Looking at a page takes longer than waiting.
    expect: { poll: { interval: 50 } },
  },
});
