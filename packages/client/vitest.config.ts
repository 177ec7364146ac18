import { serverUnderTest } from "@petstore/test-kit/shipped";
import { mergeConfig } from "vitest/config";
import { clientUnderTest } from "./test/shipped.ts";

export default mergeConfig(
  {
    test: {
      globalSetup: ["test/shipped.ts"],
      setupFiles: ["@petstore/test-kit/seed"],
      // Imported files are loaded once; changes of a test are undone before the next one.
      isolate: false,
      unstubEnvs: true,
      unstubGlobals: true,
      restoreMocks: true,
    },
  },
  mergeConfig(serverUnderTest, clientUnderTest),
);
