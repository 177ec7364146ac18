import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    globalSetup: "@petstore/test-chromium/chromium-directory",
    exclude: hasRuntimes ? [] : ["test/**"],
    passWithNoTests: !hasRuntimes,
    // A worker has one Chromium for all its files, which computes in one process at a time.
    maxWorkers: 2,
    isolate: false,
    // Looking at a page takes longer than waiting.
    expect: { poll: { interval: 50 } },
  },
});
