import { licensePlugin, type LicenseInfo } from "rolldown-license-plugin";
import { defineConfig } from "tsdown";

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
          source: packages.map(toNotice).join("\n\n"),
        });
      },
    }),
  ],
});

/** Licences that ask for no more than their notice. */
const permissive = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"]);

function toNotice({ name, version, license, licenseText }: LicenseInfo): string {
  return `${name} ${version} (${license})\n\n${licenseText || "The package comes without the text of its licence."}\n`;
}
