import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    globalSetup: "test/install.ts",
    exclude: hasRuntimes ? [] : ["test/runtimes.test.ts"],
    maxWorkers: 1,
  },
});
