import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { launchChromium } from "@petstore/test-kit/chromium";
import { startHttpServer, type HttpServer } from "@petstore/test-kit/http-server";
import { runtimes } from "@petstore/test-kit/runtimes";
import { expect, inject, test } from "vitest";
import { bundleWithEsbuild } from "./bundle.ts";

const run = promisify(execFile);
const project = inject("project");

/** The result of `useClient` in the project, in any runtime. */
const outcome = {
  created: { id: expect.any(Number), name: "Rex", categoryId: "9223372036854775807", status: "available" },
  requestId: expect.any(String),
  page: { names: ["Rex", "Tom"], isLast: false },
  walked: ["Rex", "Tom", "Kim"],
  rejection: { isBadRequest: true, isKeyReused: true, status: 422, requestId: expect.any(String) },
  faked: ["Rex"],
};

const { resolve } = createRequire(import.meta.url);
const bun = resolve("@oven/bun-linux-x64-baseline/bin/bun");
const deno = resolve("@deno/linux-x64-glibc/deno");
const workerd = resolve("@cloudflare/workerd-linux-64/bin/workerd");

test.each([...runtimes.map(({ major, node }) => [`Node ${major}`, node, `v${major}.`]), ["Bun 1", bun, "1."]])(
  "the packed client creates, lists, pages and is rejected on %s",
  async (_name, runtime, version) => {
    await using server = await startServer();

    const { stdout, stderr } = await run(runtime, ["main.js"], { cwd: project, env: environmentOf(server) });

    expect(JSON.parse(stdout)).toEqual(outcome);
    expect(stderr).toBe("");
    expect((await run(runtime, ["--version"])).stdout).toSatisfy((text: string) => text.startsWith(version));
  },
);

test("the packed client creates, lists, pages and is rejected on Deno, with permission only to connect", async () => {
  await using server = await startServer();
  const options = JSON.stringify({ baseUrl: server.url, apiKey: server.apiKey });
  const permissions = ["--no-prompt", `--allow-net=${new URL(server.url).host}`];

  const { stdout, stderr } = await run(deno, ["run", ...permissions, "main.js", options], { cwd: project, env: {} });

  expect(JSON.parse(stdout)).toEqual(outcome);
  expect(stderr).toBe("");
});

test("the packed client creates, lists, pages and is rejected in a Cloudflare Worker", async () => {
  await using server = await startServer();
  await writeFile(join(project, "worker.bundle.js"), await bundleWithEsbuild(`export { default } from "./worker.js";`));

  const { stdout } = await run(workerd, ["test", "worker.capnp"], { cwd: project, env: environmentOf(server) });

  expect(JSON.parse(stdout)).toEqual(outcome);
});

test("the packed client creates, lists, pages and is rejected in a page of another origin in Chromium", async () => {
  await using pages = await servePages();
  await using server = await startServer({ corsOrigins: [pages.origin] });
  await using browser = await launchChromium(project);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto(`${pages.origin}/page.html`);
  const options = { baseUrl: server.url, apiKey: server.apiKey };
  const result = await page.evaluate(`useClient(${JSON.stringify(options)})`);

  expect(result).toEqual(outcome);
  // Chromium itself reports every response that is an error.
  expect(complaints).toEqual([expect.stringContaining("the server responded with a status of 422")]);
  expect(server.logs.some(({ method }) => method === "OPTIONS")).toBe(true);
});

/** The options of a client, as variables of the environment. */
function environmentOf({ url, apiKey }: TestServer): NodeJS.ProcessEnv {
  return { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: apiKey };
}

/** Serves the files of the project from an origin of its own. */
async function servePages(): Promise<HttpServer> {
  const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
  return await startHttpServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    readFile(join(project, pathname)).then(
      (content) => response.setHeader("Content-Type", types[extname(pathname)] ?? "text/plain").end(content),
      () => response.writeHead(404).end(),
    );
  });
}
