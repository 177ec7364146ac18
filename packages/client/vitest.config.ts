import { serverUnderTest, testsShipped } from "@petstore/server/shipped";
import { mergeConfig } from "vitest/config";
import { clientUnderTest } from "./test/shipped.ts";

export default mergeConfig(
  { test: { globalSetup: testsShipped ? ["test/shipped.ts"] : [] } },
  mergeConfig(serverUnderTest, clientUnderTest),
);
