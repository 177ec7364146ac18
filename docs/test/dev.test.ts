import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { freePort } from "@petstore/test-kit/free-port";
import { expectExit, serving, start } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** The program of a script of the root, in a checkout, and its arguments. */
function commandOf(script: string, checkout: string): [program: string, args: string[]] {
  const [program = "", ...args] = scripts[script]?.split(" ") ?? [];
  return [join(checkout, "node_modules/.bin", program), args];
}

const environment = { PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter), NO_COLOR: "1" };

/** The development server starts again while this waits. */
const restart = { timeout: 30_000, interval: 20 };

test("0: the server builds in a directory with a space and an umlaut", async () => {
  using copy = copyCheckout();
  await copy.commit();
  copy.linkPackages();
  await copy.runIn("apps/server", "node_modules/.bin/tsdown", "--logLevel", "warn");
  expect(existsSync(join(copy.path, "apps/server/dist/petstore-server.mjs"))).toBe(true);
}, 60_000);

test("pnpm dev serves an edit of the source, with the animals that were there before it, also after an edit that does not compile", async () => {
  using copy = copyCheckout();
  await copy.commit();
  copy.linkPackages();
  const port = await freePort();
  const [program, args] = commandOf("dev", copy.path);
  await using server = await serving(
    start(program, args, {
      directory: copy.path,
      environment: { ...environment, PETSTORE_PORT: String(port) },
    }),
  );
  await using scope = new AsyncDisposableStack();
  scope.defer(async () => {
    server.kill("SIGINT"); // Ctrl-C. After any other signal the server would go on.
    await server.ended;
  });
  const key = /pst_\w+/.exec(server.stdout())?.[0] ?? "";
  const call = (path: string, body?: string) => server.call(key, path, body).catch(() => undefined);
  expect((await call("/pets", '{"name":"Rex","categoryId":1}'))?.status).toBe(201);

  const file = join(copy.path, "packages/contract/src/errors.ts");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, "export const = ");
  await expect.poll(() => call("/pets"), restart).toBeUndefined();
  // Some editors and Git replace a file instead of writing to it.
  writeFileSync(`${file}.new`, source.replace(/pet_not_found: .*message: "/, "$&EDITED "));
  renameSync(`${file}.new`, file);
  await expect.poll(async () => (await call("/pets/99"))?.text, restart).toContain("EDITED");
  const pets = JSON.parse((await call("/pets?limit=100"))?.text ?? "[]") as { name: string }[];
  expect(pets.map(({ name }) => name)).toContain("Rex");
}, 60_000);

test("0: pnpm test:watch takes files of several workspaces", async () => {
  const [program, args] = commandOf("test:watch", root);
  const files = ["apps/cli/test/table.test.ts", "apps/server/test/config.test.ts", "docs/test/links.test.ts"];
  await using run = start(program, ["--run", ...args, ...files], {
    directory: root,
    environment,
  });
  await expectExit(0, run.ended, { stdout: /Test Files .*3 passed/ });
}, 60_000);
