import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

// The tests for the proof use tests/tools.
export default suite(serverUnderTest);
