import { appendFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { serving, start, temporaryDirectory, type Ended, type Running } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { startCountingRegistry } from "./registry.ts";

/** The limit in the README. It does not include the metadata that npx downloads. */
const mostMegabytes = 100;

async function succeeded(command: Running): Promise<Ended> {
  const ended = await command.ended;
  expect(ended).toMatchObject({ exitCode: 0 });
  return ended;
}

test("0: in a new clone, the first command downloads 100 MB at most and serves, and the next ones download nothing", async () => {
  await using registry = await startCountingRegistry();
  using home = temporaryDirectory();
  using copy = copyCheckout();
  await copy.commit();
  const checkout = join(home.path, "a clone");
  await copy.runIn(".", "git", "clone", "--quiet", ".", checkout);

  // Empty caches, in a home of their own. npm would take packages from the address that the registry gives for them.
  writeFileSync(join(home.path, ".npmrc"), `registry=${registry.origin}/\nreplace-registry-host=always\n`);
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((each) => !each.includes("node_modules"));
  const environment = { PATH: path.join(delimiter), HOME: home.path, PETSTORE_PORT: "0" };
  const npx = (...args: string[]) => start("npx", ["pnpm@12", ...args], { directory: checkout, environment });
  /** Without npx, which takes seconds. */
  function pnpm(...args: string[]): Running {
    const [program = ""] = globSync(join(home.path, ".npm/_npx/*/node_modules/pnpm/pnpm"));
    return start(program, args, { directory: checkout, environment });
  }

  /** How much has been downloaded since the last time. */
  function takeMegabytes(): number {
    const downloads = registry.downloads.splice(0).filter(({ isLookupOfNpx }) => !isLookupOfNpx);
    return downloads.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  }

  await using server = await serving(npx("start"));
  const [apiKey = ""] = /pst_\w+/.exec(server.stdout()) ?? [];
  expect((await server.call(apiKey, "/pets")).status).toBe(200);
  const [, processId] = readFileSync(join(checkout, ".data/development.url"), "utf8").split("\n");
  try {
    const megabytes = takeMegabytes();
    // The repository's Node alone has 50 MB.
    expect(megabytes).toBeGreaterThan(50);
    expect(megabytes).toBeLessThanOrEqual(mostMegabytes);

    const list = await succeeded(npx("petstore", "pets", "list", "--limit", "3"));
    expect(list.stdout.split("\n")).toHaveLength(4);
    expect(list.stderr).not.toContain("Done in");
    expect((await succeeded(pnpm("petstore-server", "doctor", "--dev"))).stdout).toContain("Node.js");

    appendFileSync(join(checkout, "pnpm-lock.yaml"), "\n");
    expect((await succeeded(pnpm("petstore", "pets", "list"))).stderr).toContain("Done in");
    expect(takeMegabytes()).toBe(0);
  } finally {
    process.kill(Number(processId), "SIGTERM");
  }
  expect((await server.ended).exitCode).toBe(0);
});
