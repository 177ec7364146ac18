import { serverUnderTest } from "@petstore/test-kit/shipped";
import { mergeConfig } from "vitest/config";
import { clientUnderTest } from "./test/shipped.ts";

export default mergeConfig(
  { test: { globalSetup: ["test/shipped.ts"], setupFiles: ["@petstore/test-kit/seed"] } },
  mergeConfig(serverUnderTest, clientUnderTest),
);
