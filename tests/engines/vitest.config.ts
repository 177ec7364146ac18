import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    // Looking at a page takes longer than waiting.
    expect: { poll: { interval: 50 } },
  },
});
