import { defineConfig } from "tsdown";
import packageJson from "./package.json" with { type: "json" };

// Each entry is built into one file, without shared chunks: loading a second file would make every import of the client slower.
export default defineConfig(
  ["src/index.ts", "src/testing.ts"].map((entry) => ({
    entry,
    platform: "neutral",
    target: "es2022",
    dts: { tsconfig: "../tsconfig.declarations.json" },
    // Bundles the types of the contract and its files without imports, so that users install no dependencies. Third-party code is not
    // bundled, because the package would need its licences.
    deps: { alwaysBundle: [/^@petstore\//], neverBundle: ["zod", "@ts-rest/core"], onlyBundle: [/^@petstore\//] },
    // Removes bare imports of packages that are used only for their types.
    treeshake: { moduleSideEffects: false },
    plugins: [
      // Of its own package.json, the client needs only the version.
      {
        name: "version-of-the-client",
        load: {
          filter: { id: /\/client\/package\.json$/ },
          handler: () => ({ code: JSON.stringify({ version: packageJson.version }), moduleType: "json" as const }),
        },
      },
      // The fake must throw the error classes of the client, so that `instanceof` works.
      {
        name: "client-of-the-fake",
        resolveId: { filter: { id: /^\.\/index\.ts$/ }, handler: () => ({ id: "./index.js", external: true }) },
      },
    ],
  })),
);
