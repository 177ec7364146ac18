import { defineConfig } from "vitest/config";

// Every suite at once, for `pnpm test:watch`: it runs what a change touches. `pnpm test` runs each
// suite in its workspace.
export default defineConfig({
  test: {
    projects: ["apps/*", "packages/*", "!packages/*.json", "bench", "docs", "site", "tests/*"],
  },
});
