import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";
import { binary } from "./test/support/binary.ts";

export default suite(serverUnderTest, {
  test: {
    // Some tests start the built program.
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/warnings.ts"],
    // Imported files are loaded once.
    isolate: false,
    maxWorkers: 2,
    server: { deps: { external: [binary] } },
  },
});
