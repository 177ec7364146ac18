import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { launchChromium } from "@petstore/test-kit/chromium";
import { startHttpServer, type HttpServer } from "@petstore/test-kit/http-server";
import { runtimes } from "@petstore/test-kit/runtimes";
import { expect, inject, test } from "vitest";

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

const program = `
  import { useClient } from "./use-client.js";
  console.log(JSON.stringify(await useClient()));`;

test.each(runtimes)(
  "the packed client creates, lists, pages and is rejected on Node $major",
  async ({ major, node }) => {
    await using server = await startServer();
    const env = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };

    const version = await run(node, ["--version"]);
    const { stdout, stderr } = await run(node, ["--input-type=module", "--eval", program], { cwd: project, env });

    expect(version.stdout).toMatch(new RegExp(`^v${major}\\.`));
    expect(JSON.parse(stdout)).toEqual(outcome);
    expect(stderr).toBe("");
  },
);

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
