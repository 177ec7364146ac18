import { serverUnderTest } from "@petstore/test-kit/shipped";
import { mergeConfig } from "vitest/config";
import { binary } from "./test/binary.ts";

export default mergeConfig(serverUnderTest, {
  test: {
    // Some tests start the built program. CI has built it already.
    globalSetup: ["test/build.ts"],
    setupFiles: ["@petstore/test-kit/seed", "test/warnings.ts"],
    // Imported files are loaded once.
    isolate: false,
    server: { deps: { external: [binary] } },
  },
});
