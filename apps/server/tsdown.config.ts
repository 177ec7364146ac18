import { defineConfig } from "tsdown";

// One file that runs where the packages of its `dependencies` are installed. Node does not strip types below node_modules, so
// the workspace packages go into the file.
export default defineConfig({
  entry: "src/main.ts",
  platform: "node",
  target: "node24",
  dts: false,
  deps: { alwaysBundle: [/^@petstore\//] },
});
