import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { freePort } from "@petstore/test-kit/free-port";
import { serving, start } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";

/** The development server starts again while this waits. */
const restart = { timeout: 30_000, interval: 20 };

test("pnpm dev serves an edit of the source, with the animals that were there before it, also after an edit that does not compile", async () => {
  using copy = copyCheckout();
  await copy.commit();
  copy.linkPackages();
  const { dev } = (JSON.parse(read("package.json")) as { scripts: { dev: string } }).scripts;
  const [, ...args] = dev.split(" ");
  const port = await freePort();
  await using server = await serving(
    start(process.execPath, args, { directory: copy.path, environment: { PETSTORE_PORT: String(port) } }),
  );
  await using scope = new AsyncDisposableStack();
  scope.defer(async () => void (await server.stop())); // killed, it would leave the server that it watches
  const key = /pst_\w+/.exec(server.stdout())?.[0] ?? "";
  const call = (path: string, body?: string) => server.call(key, path, body).catch(() => undefined);
  expect((await call("/pets", '{"name":"Rex","categoryId":1}'))?.status).toBe(201);

  const file = join(copy.path, "packages/contract/src/errors.ts");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, "export const = ");
  await expect.poll(() => call("/pets"), restart).toBeUndefined();
  writeFileSync(file, source.replace(/pet_not_found: .*message: "/, "$&EDITED "));
  await expect.poll(async () => (await call("/pets/99"))?.text, restart).toContain("EDITED");
  const pets = JSON.parse((await call("/pets?limit=100"))?.text ?? "[]") as { name: string }[];
  expect(pets.map(({ name }) => name)).toContain("Rex");
}, 60_000);
