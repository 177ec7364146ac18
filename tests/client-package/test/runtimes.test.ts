import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { launchChromium } from "@petstore/test-chromium/chromium";
import { isProof } from "@petstore/test-kit/endurance";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { nodes } from "@petstore/test-kit/nodes";
import { resolveTool } from "@petstore/test-kit/tools";
import { expect, inject, test } from "vitest";
import { bundleWithEsbuild } from "./bundle.ts";

const run = promisify(execFile);
const project = inject("project");

/** Where a program runs: how, and which reason it gives for a closed connection. */
interface Runtime {
  name: string;
  /** Calls `useClient` in the project, and returns its result. */
  use: (server: TestServer, failing: string) => Promise<unknown>;
  closed: string;
  /** Browsers hide where a redirect leads to. */
  hidesRedirects?: boolean;
}

const onNode = nodes.map(({ major, node }): Runtime => {
  return {
    name: `Node ${major}`,
    use: useProgram(node, `v${major}.`),
    closed: "other side closed$",
  };
});

const others: Runtime[] = [
  {
    name: "Bun",
    use: (...args) =>
      useProgram(resolveTool("@oven/bun-linux-x64-baseline/bin/bun"), "1.")(...args),
    closed: "connection was closed",
  },
  {
    name: "Deno, with permission only to connect",
    use: useInDeno,
    closed: "connection closed before",
  },
  { name: "a Cloudflare Worker", use: useInWorker, closed: "Network connection lost." },
  {
    name: "a page of another origin in Chromium",
    use: useInPage,
    closed: "Failed to fetch",
    hidesRedirects: true,
  },
];

/** Redirects, closes the connection, or serves the files of the project to a page. */
const listener: RequestListener = ({ url = "", socket }, response) => {
  if (url.startsWith("/moved"))
    response.writeHead(308, { Location: "https://new.example/v1/pets/1" }).end();
  else if (url.startsWith("/closed")) socket.destroy();
  else {
    const type = url.endsWith(".html") ? "text/html" : "text/javascript";
    readFile(join(project, url)).then(
      (content) => response.setHeader("Content-Type", type).end(content),
      () => response.writeHead(404).end(),
    );
  }
};

test.each([...onNode, ...(isProof ? others : [])])(
  "the packed client creates, lists, pages, is rejected, and gives reasons for failures, on $name",
  async ({ use, closed, hidesRedirects }) => {
    await using failing = await startHttpServer(listener);
    await using server = await startServer({ corsOrigins: [failing.origin] });
    const form = hidesRedirects ? "redirect" : "308 to https://new.example/v1/pets/1";
    expect(await use(server, failing.origin)).toEqual({
      created: {
        id: expect.any(Number),
        name: "Rex",
        categoryId: "9223372036854775807",
        status: "available",
      },
      requestId: expect.any(String),
      page: { names: ["Rex", "Tom"], isLast: false },
      walked: ["Rex", "Tom", "Kim"],
      rejection: {
        isBadRequest: true,
        isKeyReused: true,
        status: 422,
        requestId: expect.any(String),
      },
      faked: ["Rex"],
      failures: [
        `getPet: something between you and the service answered (${form}): empty body`,
        expect.stringMatching(
          new RegExp(
            `^getPet got no complete response from ${failing.origin}/closed/v1: .*${closed}`,
          ),
        ),
      ],
    });
  },
);

/** Runs the program in a runtime like Node, of this version. */
function useProgram(runtime: string, version: string): Runtime["use"] {
  return async (server, origin) => {
    expect((await run(runtime, ["--version"])).stdout.startsWith(version)).toBe(true);
    return outputOf(
      await run(runtime, ["main.js", origin], { cwd: project, env: environmentOf(server) }),
    );
  };
}

async function useInDeno({ url, apiKey }: TestServer, origin: string): Promise<unknown> {
  const deno = resolveTool("@deno/linux-x64-glibc/deno");
  const hosts = [url, origin].map((each) => new URL(each).host).join(",");
  const permissions = ["--no-prompt", `--allow-net=${hosts}`];
  const options = JSON.stringify({ baseUrl: url, apiKey });
  return outputOf(
    await run(deno, ["run", ...permissions, "main.js", origin, options], { cwd: project, env: {} }),
  );
}

async function useInWorker(server: TestServer, origin: string): Promise<unknown> {
  await writeFile(
    join(project, "worker.bundle.js"),
    await bundleWithEsbuild(`export { default } from "./worker.js";`),
  );
  const workerd = resolveTool("@cloudflare/workerd-linux-64/bin/workerd");
  const env = { ...environmentOf(server), FAILING: origin };
  const { stdout } = await run(workerd, ["test", "worker.capnp"], { cwd: project, env });
  return JSON.parse(stdout);
}

async function useInPage(server: TestServer, origin: string): Promise<unknown> {
  // A browser loads the client as it is. The fake is CommonJS, which takes a bundler.
  const fake = `export { createPetstoreFake } from "@petstore/client/testing";`;
  await writeFile(join(project, "testing.bundle.js"), await bundleWithEsbuild(fake));
  await using browser = await launchChromium(project);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${origin}/page.html`);
  const options = { baseUrl: server.url, apiKey: server.apiKey };
  const result: unknown = await page.evaluate(
    `useClient(${JSON.stringify(origin)}, ${JSON.stringify(options)})`,
  );
  expect(complaints).toEqual([]);
  expect(server.logs.some(({ method }) => method === "OPTIONS")).toBe(true);
  return result;
}

function outputOf({ stdout, stderr }: { stdout: string; stderr: string }): unknown {
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** The options of a client, as variables of the environment. */
function environmentOf({ url, apiKey }: TestServer): NodeJS.ProcessEnv {
  return { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: apiKey };
}
