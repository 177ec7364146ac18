import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, { test: { isolate: false } });
