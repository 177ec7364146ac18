import { readFileSync } from "node:fs";
import { licensePlugin } from "rolldown-license-plugin";
import { defineConfig } from "tsdown";
import { permissive, toNotice } from "./scripts/notices.ts";
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
    licensePlugin({
      allow: ({ license }) => permissive.has(license),
      failOnViolation: true,
      failOnUnlicensed: true,
      done: (packages, bundler) => {
        bundler.emitFile({
          type: "asset",
          fileName: "THIRD-PARTY-NOTICES",
          source: [...packages.map(toNotice), scalarNotices].join("\n\n"),
        });
      },
    }),
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
