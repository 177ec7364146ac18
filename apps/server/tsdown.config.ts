import { readFileSync } from "node:fs";
import { thirdPartyNotices } from "@petstore/release/third-party";
import { defineConfig } from "tsdown";
import rootPackage from "../../package.json" with { type: "json" };
import { readScalar } from "./src/reference/scalar.ts";

// The program of the reference page is not imported, and so not seen by the plugin.
const scalarNotices = readFileSync(new URL("scalar-notices.txt", import.meta.url), "utf8");

const [leastMajor, leastMinor] = rootPackage.engines.node.replace(">=", "").split(".");

/** Runs before everything else. */
const nodeCheck = `{
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < ${leastMajor} || (major === ${leastMajor} && minor < ${leastMinor})) {
    console.error(\`petstore-server needs Node ${leastMajor}.${leastMinor} or newer; this is \${process.version}\`);
    process.exit(78); // the configuration is wrong
  }
}`;

// One file that has all it needs: it runs in an empty directory. It ends in .mjs, so that no package.json has to say what it is.
export default defineConfig({
  entry: { "petstore-server": "src/shipped.ts" },
  platform: "node",
  // What an older Node can read, for it to report that it is too old.
  target: "node18",
  banner: nodeCheck,
  dts: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: { codeSplitting: false },
  plugins: [
    thirdPartyNotices([scalarNotices]),
    {
      // An older Node does not begin when an import names what it lacks. So they are taken when the program runs.
      name: "late-builtins",
      resolveId: { filter: { id: /^node:(?!module$)/ }, handler: (id) => `\0${id}` },
      load: {
        filter: { id: /^\0node:/ },
        handler: (id) => `module.exports = process.getBuiltinModule("${id.slice(1)}");`,
      },
    },
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
