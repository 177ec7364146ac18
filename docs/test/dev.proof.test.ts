import { existsSync } from "node:fs";
import { dirname, delimiter, join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { expectExit, start } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";

test("0: in a directory with a space and an umlaut, the server builds, and pnpm test:watch takes files of several workspaces", async () => {
  using copy = copyCheckout();
  await copy.commit();
  copy.linkPackages();
  await copy.runIn("apps/server", "node_modules/.bin/tsdown", "--logLevel", "warn");
  expect(existsSync(join(copy.path, "apps/server/dist/petstore-server.mjs"))).toBe(true);

  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const [program = "", ...args] = scripts["test:watch"]?.split(" && ").at(-1)?.split(" ") ?? [];
  const files = ["apps/cli/test/table.test.ts", "packages/client/test/pages.test.ts", "docs/test/links.test.ts"];
  await using run = start(join(copy.path, "node_modules/.bin", program), ["--run", ...args, ...files], {
    directory: copy.path,
    environment: { PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter), NO_COLOR: "1" },
  });
  await expectExit(0, run.ended, { stdout: /Test Files .*3 passed/ });
});
