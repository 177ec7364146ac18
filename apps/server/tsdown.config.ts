import { readFileSync } from "node:fs";
import { thirdPartyNotices } from "@petstore/release/third-party";
import { defineConfig } from "tsdown";
import { readScalar } from "./src/reference/scalar.ts";

// The program of the reference page is not imported, and so not seen by the plugin.
const scalarNotices = readFileSync(new URL("scalar-notices.txt", import.meta.url), "utf8");

// One file that has all it needs: it runs in an empty directory. It ends in .mjs, so that no package.json has to say what it is.
export default defineConfig({
  entry: { "petstore-server": "src/shipped.ts" },
  platform: "node",
  target: "node24",
  dts: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: { codeSplitting: false },
  plugins: [
    thirdPartyNotices([scalarNotices]),
    {
      name: "reference-page",
      load: {
        filter: { id: /\/src\/reference\/scalar\.ts$/ },
        async handler() {
          const base64 = (await readScalar()).toString("base64");
          return `export const readScalar = async () => Buffer.from("${base64}", "base64");`;
        },
      },
    },
  ],
});
