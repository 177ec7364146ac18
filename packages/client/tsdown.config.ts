import { defineConfig } from "tsdown";

// Each entry is one file that has all it needs: a part in a file of its own would make every import of the client slower.
export default defineConfig(
  ["src/index.ts", "src/testing.ts"].map((entry) => ({
    entry,
    platform: "neutral",
    target: "es2022",
    dts: { tsconfig: "../tsconfig.declarations.json" },
    // The types of the contract, and its files without imports, go into the bundle: nothing is left to install. Code of others is
    // not bundled: the package would need its licences.
    deps: { alwaysBundle: [/^@petstore\//], neverBundle: ["zod", "@ts-rest/core"], onlyBundle: [/^@petstore\//] },
    // Of a package whose types are all that is used, not even a bare import stays.
    treeshake: { moduleSideEffects: false },
    // The errors of the fake are those of the client: `instanceof` must know them.
    plugins: [
      {
        name: "client-of-the-fake",
        resolveId: { filter: { id: /^\.\/index\.ts$/ }, handler: () => ({ id: "./index.js", external: true }) },
      },
    ],
  })),
);
