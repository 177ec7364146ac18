import { serverUnderTest } from "@petstore/test-kit/shipped";
import { suite } from "@petstore/test-kit/suite";

export default suite(serverUnderTest, {
  test: {
    // Tests exist for the browsers that are installed.
    passWithNoTests: true,
    // Looking at a page takes longer than waiting.
    expect: { poll: { interval: 50 } },
  },
});
