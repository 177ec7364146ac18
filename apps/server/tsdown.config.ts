import { readFileSync } from "node:fs";
import { licensePlugin, type LicenseInfo } from "rolldown-license-plugin";
import { defineConfig } from "tsdown";
import packageJson from "./package.json" with { type: "json" };
import { readScalar } from "./src/reference/scalar.ts";

// One file that has all it needs: it runs in an empty directory. It ends in .mjs, so that no package.json has to say what it is.
export default defineConfig({
  entry: { "petstore-server": "src/main.ts" },
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
          source: [...packages, scalar].map(toNotice).join("\n\n"),
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

/** Not imported, and so not found by the plugin; and it comes without the text of its licence, which is that of this project. */
const scalar: LicenseInfo = {
  name: "@scalar/api-reference",
  version: packageJson.dependencies["@scalar/api-reference"],
  license: "MIT",
  licenseText: readFileSync(new URL("../../LICENSE", import.meta.url), "utf8").replace(
    /^Copyright .*$/m,
    "Copyright (c) 2023-present Scalar",
  ),
};

/** Licences that ask for no more than their notice. */
const permissive = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"]);

function toNotice({ name, version, license, licenseText }: LicenseInfo): string {
  return `${name} ${version} (${license})\n\n${licenseText || "The package comes without the text of its licence."}\n`;
}
