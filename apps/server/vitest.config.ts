import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    globalSetup: ["@petstore/test-postgres/postgres-server"],
    isolate: false,
    // Its tests wait more than they compute: for PostgreSQL, the disk, processes and limits of time.
    maxWorkers: 4,
  },
});
