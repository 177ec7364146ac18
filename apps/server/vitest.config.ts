import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    globalSetup: ["@petstore/test-postgres/postgres-server"],
    isolate: false,
    maxWorkers: 2,
  },
});
