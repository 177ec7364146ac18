import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { suite } from "@petstore/test-kit/suite";

export default suite({
  test: {
    globalSetup: "@petstore/test-chromium/chromium-directory",
    exclude: hasRuntimes ? [] : ["test/home.test.ts"],
  },
});
