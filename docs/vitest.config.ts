import { serverUnderTest } from "@petstore/server/shipped";

export default serverUnderTest;
