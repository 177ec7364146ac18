import { defineConfig } from "vitest/config";

export default defineConfig({
  // What is waited for comes in its own time, on a machine with much to do.
  test: { globalSetup: "test/start-postgres.ts", expect: { poll: { timeout: 10_000 } } },
});
