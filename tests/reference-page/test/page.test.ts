import { request } from "node:http";
import { startServer } from "@petstore/server/start-server";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { expect, test } from "vitest";
import { openClient, send, useChromium } from "./reader.ts";

const open = useChromium();

const operations = { "List animals": "GET", "Add an animal": "POST", "Get an animal": "GET", "List orders": "GET" };

test("shows the document of the server, and requests nothing else", async () => {
  await using server = await startServer();
  await using reader = await open(new URL("/docs", server.url).href);
  const { page } = reader;
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { info: { version: string } };
  await page.getByText(`v${document.info.version}`, { exact: true }).waitFor();

  const contents = page.getByRole("complementary");
  await contents.getByRole("button", { name: "Open Group - store" }).click();
  for (const [name, method] of Object.entries(operations)) {
    await contents.getByRole("link", { name: `${name} HTTP Method: ${method}` }).click();
    await page.getByRole("main").getByRole("region", { name }).getByRole("heading", { name }).waitFor();
  }
  const struck = contents.locator("a", { has: page.locator(".line-through") });
  expect(await struck.allInnerTexts()).toEqual([expect.stringContaining("Get an animal")]);
  expect(await page.getByRole("main").getByRole("region", { name: "Get an animal" }).innerText()).toMatch(
    /^deprecated/i,
  );

  expect(reader.complaints).toEqual([]);
  const paths = ["/docs", "/docs/scalar.js", "/v1/openapi.json"];
  expect(reader.requests).toEqual(paths.map((path) => new URL(path, server.url).href));
});

test("says that it loads while its program comes, and what else there is when it does not come", async () => {
  await using server = await startServer();
  await using reader = await open("about:blank");
  const { page } = reader;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/scalar.js", async (route) => {
    await held;
    await route.abort();
  });
  await page.goto(new URL("/docs", server.url).href, { waitUntil: "commit" });
  await page.getByText("Loading the reference…").waitFor();
  release();
  await page.getByText("The reference did not load.").waitFor();
  await page.getByRole("link", { name: "openapi.json" }).click();
  await page.waitForURL("**/v1/openapi.json");
  expect(reader.complaints).toEqual([expect.stringContaining("net::ERR_FAILED")]);
});

test("200 behind a proxy that serves it below a path", async () => {
  await using server = await startServer();
  await using proxy = await serveBelow("/shop", server.port);
  await using reader = await open(`${proxy.url}/docs#tag/pets/GET/pets`);
  const client = await openClient(reader.page, "get /pets");
  await client.getByRole("textbox", { name: "Bearer Token" }).fill(server.apiKey);
  expect(await send(client, "200 OK")).toBe("[]");
  const paths = ["docs", "docs/scalar.js", "v1/openapi.json", "v1/pets?limit=20&status=available"];
  expect(reader.requests).toEqual(paths.map((each) => expect.stringContaining(`${proxy.url}/${each}`) as string));
  expect(reader.complaints).toEqual([]);
});

/** Serves what is on a port below a path, and nothing else. */
async function serveBelow(path: string, port: number): Promise<AsyncDisposable & { url: string }> {
  const proxy = await startHttpServer((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    const inner = url.startsWith(`${path}/`) ? url.slice(path.length) : "/nothing";
    const forwarded = request({ port, host: "127.0.0.1", method, headers, path: inner });
    forwarded.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  return { ...proxy, url: proxy.origin + path };
}
