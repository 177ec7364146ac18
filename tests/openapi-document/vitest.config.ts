import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

// All tests are for the proof: they use tests/tools.
export default suite(serverUnderTest, { test: { passWithNoTests: true } });
