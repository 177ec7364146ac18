import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { serving, start, temporaryDirectory, type Ended } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { startCountingRegistry } from "./registry.ts";

/** What the README promises, without what npx looks up. */
const mostMegabytes = 100;

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

  /** How much has been downloaded since the last time. */
  function takeMegabytes(): number {
    const downloads = registry.downloads.splice(0).filter(({ isLookupOfNpx }) => !isLookupOfNpx);
    return downloads.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  }

  /** Runs a script to its end. */
  async function run(...args: string[]): Promise<Ended> {
    await using command = npx(...args);
    const ended = await command.ended;
    expect(ended).toMatchObject({ exitCode: 0 });
    return ended;
  }

  await using server = await serving(npx("start"));
  const [apiKey = ""] = /pst_\w+/.exec(server.stdout()) ?? [];
  expect((await server.call(apiKey, "/pets")).status).toBe(200);
  const [, processId] = readFileSync(join(checkout, ".data/development.url"), "utf8").split("\n");
  try {
    const megabytes = takeMegabytes();
    // A program in the repository brings its own Node, which alone is half of it.
    expect(megabytes).toBeGreaterThan(50);
    expect(megabytes).toBeLessThanOrEqual(mostMegabytes);

    const list = await run("petstore", "pets", "list", "--limit", "3");
    expect(list.stdout.split("\n")).toHaveLength(4);
    expect(list.stderr).not.toContain("Done in");
    expect((await run("petstore-server", "doctor", "--dev")).stdout).toContain("Node.js");

    appendFileSync(join(checkout, "pnpm-lock.yaml"), "\n");
    expect((await run("petstore", "pets", "list")).stderr).toContain("Done in");
    expect(takeMegabytes()).toBe(0);
  } finally {
    process.kill(Number(processId), "SIGTERM");
  }
  expect((await server.ended).exitCode).toBe(0);
});
