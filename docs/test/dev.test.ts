import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, delimiter, join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { start } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { copyCheckout } from "./checkout-copy.ts";

test("pnpm dev serves an edit of the source, with the animals that were there before it, also after an edit that does not compile", async () => {
  using copy = copyCheckout();
  await copy.commit();
  copy.linkPackages();
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const [program = "", ...args] = scripts["dev"]?.split(" ") ?? [];
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  await using dev = start(join(copy.path, "node_modules/.bin", program), args, {
    directory: copy.path,
    environment: { PATH: path, PETSTORE_PORT: "0" },
  });
  await using scope = new AsyncDisposableStack();
  scope.defer(async () => {
    dev.kill("SIGINT"); // Ctrl-C. After any other signal the server would go on.
    await dev.ended;
  });

  /**
   * The response of the server that runs now, on a port of its own, or `undefined` while none does.
   */
  async function call(target: string, body?: string): Promise<string | undefined> {
    try {
      const [url, key] = ["url", "key"].map((name) =>
        readFileSync(join(copy.path, `.data/development.${name}`), "utf8"),
      );
      const headers = {
        Authorization: `Bearer ${key?.trim()}`,
        "Content-Type": "application/json",
      };
      const sent = body === undefined ? { headers } : { method: "POST", headers, body };
      return await (await fetch(`${url?.split("\n")[0]}${target}`, sent)).text();
    } catch {
      return undefined;
    }
  }

  await expect.poll(() => call("/pets?limit=1")).toContain("Bella");
  expect(await call("/pets", '{"name":"Rex","categoryId":1}')).toContain('"name":"Rex"');
  const file = join(copy.path, "packages/contract/src/errors.ts");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, "export const = ");
  await expect.poll(() => call("/pets")).toBeUndefined();
  // Some editors and Git replace a file instead of writing to it.
  writeFileSync(`${file}.new`, source.replace(/pet_not_found: .*message: "/, "$&EDITED "));
  renameSync(`${file}.new`, file);
  await expect.poll(() => call("/pets/99")).toContain("EDITED");
  expect(await call("/pets?limit=100")).toContain('"name":"Rex"');
});
