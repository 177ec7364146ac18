import { serverUnderTest } from "@petstore/test-kit/shipped";
import { mergeConfig } from "vitest/config";
import { clientUnderTest } from "./test/shipped.ts";

export default mergeConfig(
  {
    test: {
      globalSetup: ["test/shipped.ts"],
      setupFiles: ["@petstore/test-kit/seed"],
      // What the files import is loaded once; what a test changes is undone before the next one.
      isolate: false,
      unstubEnvs: true,
      unstubGlobals: true,
      restoreMocks: true,
    },
  },
  mergeConfig(serverUnderTest, clientUnderTest),
);
