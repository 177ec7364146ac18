import { serverUnderTest } from "@petstore/server/shipped";
import { mergeConfig } from "vitest/config";
import { clientUnderTest } from "./test/shipped.ts";

export default mergeConfig(
  { test: { globalSetup: ["test/shipped.ts"] } },
  mergeConfig(serverUnderTest, clientUnderTest),
);
