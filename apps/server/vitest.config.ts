import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    // Tests start the built program.
    globalSetup: ["test/support/build.ts", "@petstore/test-postgres/postgres-server"],
    env: { PETSTORE_TEST_BUILT: "1" },
    isolate: false,
    // Its tests wait more than they compute: for PostgreSQL, the disk, processes and limits of time.
    maxWorkers: 4,
  },
});
