import { defineConfig } from "tsdown";

// Node runs TypeScript, but not NestJS's decorators.
export default defineConfig({
  entry: { nest: "peers/nest.ts" },
  platform: "node",
  dts: false,
  deps: { neverBundle: [/^(?!@oxc-project)[@\w]/] }, // packages
});
