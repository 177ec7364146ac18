import { request } from "node:http";
import { startServer } from "@petstore/server/start-server";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { referenceFiles } from "@petstore/test-kit/reference-files";
import { expect, test } from "vitest";
import { addressOf, openClient, send, useChromium } from "./reader.ts";

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
  const { script } = await referenceFiles(server.url);
  const paths = ["/docs", script, "/v1/openapi.json"];
  expect(reader.requests).toEqual(paths.map((path) => new URL(path, server.url).href));
});

test("marks what is experimental, and shows how our programs call each operation", async () => {
  await using server = await startServer();
  await using reader = await open(addressOf(server.url, "store/GET/store/orders"));
  const { page } = reader;
  const orders = page.getByRole("main").getByRole("region", { name: "List orders" });
  await orders.getByText("experimental", { exact: true }).waitFor();
  await orders.getByText("client.experimental.listOrders()").waitFor();
  await page.goto(addressOf(server.url, "pets/GET/pets"));
  const pets = page.getByRole("main").getByRole("region", { name: "List animals" });
  await pets.getByText('client.listPets({ status: "available" })').waitFor();
  expect(await pets.getByText("experimental", { exact: true }).count()).toBe(0);
  await pets.getByRole("button", { name: "@petstore/client" }).click();
  await page.getByRole("option", { name: "petstore", exact: true }).click();
  await pets.getByText("petstore pets list --status available").waitFor();
  expect(reader.complaints).toEqual([]);
});

/** What people type, and what they look for: one of the first three results. */
test.each([
  ["filter", "List animals"],
  ["adopt", "List animals"],
  ["add", "Add an animal"],
  ["create", "Add an animal"],
  ["key", "Authentication with API keys"],
  ["limit", "List animals"],
  ["status", "List animals"],
  ["order", "List orders"],
])("search for %s finds: %s", async (words, title) => {
  const results = await search(words);
  expect(results.slice(0, 3).map((result) => result.split("\n").map((line) => line.trim()))).toContainEqual(
    expect.arrayContaining([title]),
  );
});

test("says that it loads while its program comes, and what else there is when it does not come", async () => {
  await using server = await startServer();
  await using reader = await open("about:blank");
  const { page } = reader;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/scalar.*.js", async (route) => {
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

test("reloads without its program, which the browser has kept", async () => {
  await using server = await startServer();
  await using reader = await open(new URL("/docs", server.url).href);
  const { page } = reader;
  const heading = page.getByRole("main").getByRole("heading", { name: "Petstore" });
  await heading.waitFor();
  const { script } = await referenceFiles(server.url);
  const served = (): string[] => server.logs.map(({ route }) => route as string);
  expect(served()).toContain("/docs/{file}");
  const before = served().length;
  await page.reload();
  await heading.waitFor();
  expect(reader.requests.filter((url) => url.endsWith(script))).toHaveLength(2);
  expect(served().slice(before)).toEqual(["/docs", "/v1/openapi.json"]);
});

test("200 for /docs/ behind a proxy that serves it below a path: it leads to the page", async () => {
  await using server = await startServer();
  await using proxy = await serveBelow("/shop", server.port);
  await using reader = await open(`${proxy.url}/docs/#tag/store/GET/store/orders`);
  await reader.page.getByRole("main").getByRole("heading", { name: "List orders" }).waitFor();
  expect(reader.page.url()).toBe(`${proxy.url}/docs#tag/store/GET/store/orders`);
  expect(reader.complaints).toEqual([]);
});

test("200 behind a proxy that serves it below a path", async () => {
  await using server = await startServer();
  await using proxy = await serveBelow("/shop", server.port);
  await using reader = await open(`${proxy.url}/docs#tag/pets/GET/pets`);
  const client = await openClient(reader.page, "get /pets");
  await client.getByRole("textbox", { name: "Bearer Token" }).fill(server.apiKey);
  expect(await send(client, "200 OK")).toBe("[]");
  const { script } = await referenceFiles(server.url);
  const paths = ["docs", script.slice(1), "v1/openapi.json", "v1/pets?limit=20&status=available"];
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
