import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";
import { binary } from "./test/binary.ts";

export default suite(serverUnderTest, {
  test: {
    // Some tests start the built program.
    globalSetup: ["test/build.ts"],
    setupFiles: ["test/warnings.ts"],
    // Imported files are loaded once.
    isolate: false,
    maxWorkers: 1,
    server: { deps: { external: [binary] } },
  },
});
