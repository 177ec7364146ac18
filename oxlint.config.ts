import { defineConfig } from "oxlint";
import {
  layers,
  restrictImports,
  type Override,
  type Restriction,
} from "./scripts/lint-imports.ts";

/** All of our packages but these. */
function othersThan(...names: string[]): string[] {
  return ["@petstore/**", ...names.map((name) => `!@petstore/${name}`)];
}

function inContract(...files: string[]): string[] {
  return files.map((file) => `contract/${file}`);
}

/** A file of the client's fake imports only these of the client, type imports included. */
function restrictFake(name: string, ...imports: string[]): Override {
  return restrictImports([`packages/client/src/${name}.ts`], {
    paths: ["zod", "@ts-rest/core", "@petstore/contract"],
    patterns: [
      { group: ["node:*"], message: "The fake runs in browsers too." },
      {
        group: ["./*", ...imports.map((each) => `!./${each}.ts`)],
        message: "The fake stands on few files of the client: see oxlint.config.ts.",
      },
    ],
  });
}

const noProcess = { name: "node:process", message: "Only main.ts may touch the process." };

/** For every file of the command line. */
const commandLine: Restriction = {
  paths: [noProcess],
  patterns: [
    {
      group: othersThan("client", "contract/*", "sheet"),
      message: "The command line calls the service only through the client.",
    },
  ],
};

export default defineConfig({
  // Programs that import what other programs generate: their types are known only then.
  ignorePatterns: ["apps/web/built/**", "docs/test/generated-client/program.ts"],
  plugins: ["typescript", "import", "unicorn", "oxc", "vitest", "promise", "node"],
  categories: { correctness: "error", suspicious: "error" },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "import/no-unassigned-import": ["error", { allow: ["**/*.css"] }],
    "oxc/no-async-endpoint-handlers": "off", // Express 5 awaits them
    "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
    "no-console": "error",
    "no-restricted-globals": [
      "error",
      {
        name: "process",
        message:
          "Only code that starts or ends a process may touch it: take what you need as an argument.",
      },
    ],
    "no-restricted-imports": [
      "error",
      { paths: [{ name: "node:process", message: "Only main.ts may touch the process." }] },
    ],
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-misused-spread": "off",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/switch-exhaustiveness-check": "error",
    "unicorn/prefer-node-protocol": "error",
    "unicorn/require-post-message-target-origin": "off",
    "vitest/expect-expect": ["error", { assertFunctionNames: ["expect*"] }],
    "vitest/no-standalone-expect": [
      "error",
      { additionalTestBlockFunctions: ["test", "test.each", "test.for", "test.runIf"] },
    ],
  },
  overrides: [
    {
      // A test waits for a state and asserts an order or a count. What a machine takes belongs in
      // bench/ or in a *.proof.test.ts.
      files: ["**/*.test.ts"],
      rules: {
        "no-restricted-properties": [
          "error",
          ...[
            { object: "performance", property: "now" },
            { object: "process", property: "hrtime" },
            { object: "process", property: "cpuUsage" },
          ].map((clock) => ({
            ...clock,
            message: "No test may fail because a machine is slow or fast.",
          })),
        ],
      },
    },
    {
      files: ["**/*.proof.test.ts"],
      rules: { "no-restricted-properties": "off" },
    },
    {
      // Loaded by a tool, which takes the default export.
      files: ["**/*.config.{js,ts}", "site/.vitepress/{config,theme/index}.ts"],
      rules: { "import/no-default-export": "off" },
    },
    // Texts, one below the other.
    { files: ["apps/web/src/language/words/*.ts"], rules: { "max-lines": "off" } },
    {
      // Programs of users.
      files: ["tests/*/consumer/**", "docs/test/paging/**"],
      rules: {
        "import/no-default-export": "off",
        "import/no-named-as-default-member": "off",
        "no-console": "off",
        "unicorn/no-array-sort": "off",
      },
    },
    restrictImports(["packages/contract/src/**"], {
      patterns: [
        {
          group: ["@petstore/**", "node:*"],
          message: "The contract depends only on zod and ts-rest.",
        },
      ],
    }),
    restrictImports(["packages/contract/src/{csv,fields,int64,rules,visible}.ts"], {
      patterns: [{ group: ["*"], message: "This file is inlined and imports nothing." }],
    }),
    restrictImports(["packages/service/src/**"], {
      paths: ["express", "zod", "@ts-rest/core", "@ts-rest/express"],
      patterns: [
        { group: ["node:*"], message: "The service runs in browsers too, as a fake: pass it in." },
        {
          group: othersThan("contract/*"),
          message: "The service imports only files of the contract, without a schema library.",
        },
      ],
    }),
    restrictImports(["packages/sheet/src/**"], {
      patterns: [
        {
          group: [
            "node:*",
            ...othersThan(...inContract("categories", "csv", "fields", "int64", "rules")),
          ],
          message: "A sheet knows no page, no terminal and no service.",
        },
      ],
    }),
    restrictImports(["packages/client/src/**"], {
      patterns: [
        { group: ["node:*"], message: "The client runs in browsers too." },
        {
          group: othersThan(...inContract("error-codes", "fields", "int64", "messages", "rules")),
          allowTypeImports: true,
          message: "From the contract the client imports only types, and what it can inline.",
        },
        {
          regex: "/testing",
          message: "The fake contains the service and zod: the client does not import it.",
        },
      ],
    }),
    restrictFake(
      "testing",
      "testing-faults",
      "testing-fetch",
      "testing-transport",
      "check",
      "deadline",
      "options",
      "pet",
      "resolve-options",
    ),
    restrictFake("testing-faults", "testing-transport", "check"),
    restrictFake("testing-fetch", "testing-transport"),
    restrictFake("testing-transport"),
    ...layers(
      "apps/server/src",
      [
        "dev shipped",
        "main",
        "commands",
        "config",
        "api",
        "monitoring web-pages",
        "http store",
        "api-key time-limits version",
      ],
      (name) => ({
        paths: [
          noProcess,
          ...(name === "store"
            ? ["express", "zod", "@ts-rest/core", "@ts-rest/express", "node:http"]
            : []),
        ],
      }),
    ),
    ...layers(
      "apps/cli/src",
      [
        "petstore",
        "main",
        "program",
        "commands context",
        "output",
        "settings",
        "explain-failure",
        "failure",
        "types",
      ],
      () => commandLine,
    ),
    // The stages of an import, the last one first: each uses what those before it have made.
    ...layers(
      "apps/cli/src/commands/import",
      ["import", "run take-back", "send", "plan report", "journal read"],
      () => commandLine,
    ),
    ...layers(
      "apps/web/src",
      [
        "main",
        "app",
        "add",
        "list",
        "catalogue",
        "outbox",
        "session",
        "parts",
        "pets",
        "language",
        "browser",
      ],
      () => ({
        patterns: [
          { group: ["node:*"], message: "The board runs in browsers." },
          {
            group: othersThan(
              "client",
              "client/int64",
              "sheet",
              "sheet/integers",
              ...inContract("board", "categories", "csv", "error-codes", "fields"),
            ),
            message: "The board knows the service only through the client.",
          },
        ],
      }),
    ),
    {
      files: [
        "apps/server/src/main.ts",
        "apps/server/src/commands/{command,serve/serve,serve/stop-signal}.ts",
        "apps/cli/src/{main,petstore}.ts",
        "**/test/**",
        "tests/**",
        "**/scripts/**",
        ".pnpmfile.cjs",
        "bench/**",
        "site/.vitepress/*.ts",
      ],
      rules: { "no-restricted-globals": "off", "no-restricted-imports": "off" },
    },
    {
      files: ["**/test/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                regex: "^(?:\\.\\./){3}|^(?:\\.\\./){2}[a-z-]+/(?:src|test)/|^(?:\\.\\./)+kit/",
                message:
                  "Code that several suites share belongs in tests/{kit,servers,postgres,chromium}.",
              },
            ],
          },
        ],
      },
    },
    {
      // Circles of types remain here.
      files: ["tests/{kit,servers,postgres,chromium}/**"],
      rules: { "import/no-cycle": "error" },
    },
  ],
});
