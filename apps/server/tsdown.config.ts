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

/** Escapes what is not ASCII. Behind a backslash it stands for itself, and so does its escape without that backslash. */
function toAscii(code: string): string {
  return code.replaceAll(/(\\*)([^\0-\x7f])/g, (_, backslashes: string, character: string) => {
    const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return backslashes.slice(backslashes.length % 2) + escape;
  });
}

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
      // V8 keeps the text of a program, in two bytes for each character when one of them is not Latin-1.
      name: "ascii",
      generateBundle(_options, files) {
        for (const file of Object.values(files)) if (file.type === "chunk") file.code = toAscii(file.code);
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
