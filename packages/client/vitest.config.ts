import { suite } from "@petstore/test-kit/suite";
import { clientUnderTest } from "./test/shipped.ts";

export default suite(clientUnderTest, {
  test: {
    globalSetup: ["test/shipped.ts"],
    // Imported files are loaded once; changes of a test are undone before the next one.
    isolate: false,
    maxWorkers: 1,
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
  },
});
