import { serverUnderTest } from "@petstore/test-kit/shipped";

export default serverUnderTest;
