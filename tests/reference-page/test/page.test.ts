import { startServer } from "@petstore/server/start-server";
import { serveBelow } from "@petstore/test-kit/path-prefix";
import { referenceFiles } from "@petstore/test-kit/reference-files";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { addressOf, holdProgram, openClient, send, useChromium } from "./reader.ts";

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
  await expect.poll(() => struck.allInnerTexts()).toEqual([expect.stringContaining("Get an animal")]);
  const deprecated = page.getByRole("main").getByRole("region", { name: "Get an animal" });
  await expect.poll(() => deprecated.innerText()).toMatch(/^deprecated/i);

  expect(reader.complaints).toEqual([]);
  const { script } = await referenceFiles(server.url);
  const paths = ["/docs", script, "/v1/openapi.json"];
  expect(reader.requests).toEqual(paths.map((path) => new URL(path, server.url).href));
});

test("marks experimental operations, and shows how our programs call each operation", async () => {
  await using server = await startServer();
  await using reader = await open(addressOf(server.url, "store/GET/store/orders"));
  const { page } = reader;
  const orders = page.getByRole("main").getByRole("region", { name: "List orders" });
  await orders.getByText("Experimental", { exact: true }).first().waitFor();
  await expect.poll(() => orders.evaluate((node) => node === document.activeElement)).toBe(true); // it has been scrolled to
  await chooseSample(orders, "@petstore/client");
  await orders.getByText("client.experimental.listOrders()").waitFor();
  await chooseSample(orders, "petstore");
  await orders.getByText("petstore orders list").waitFor();

  await page.getByRole("complementary").getByRole("button", { name: "Open Group - pets" }).click();
  await page.getByRole("complementary").getByRole("link", { name: "List animals" }).click();
  const pets = page.getByRole("main").getByRole("region", { name: "List animals" });
  await pets.getByRole("heading", { name: "List animals" }).waitFor();
  expect(await pets.getByText("Experimental", { exact: true }).count()).toBe(0);
  expect(reader.complaints).toEqual([]);
});

/** Takes the sample from the menu, where it is seen at once. */
async function chooseSample(operation: Locator, name: string): Promise<void> {
  await operation.locator(".request-card .scalar-card-header").getByRole("button").click();
  const sample = operation.page().getByRole("option", { name, exact: true });
  const isSeen = (): Promise<boolean> =>
    sample.evaluate((node) => {
      const { left, top } = node.getBoundingClientRect();
      return node.contains(document.elementFromPoint(left + 8, top + 8));
    });
  await expect.poll(isSeen).toBe(true);
  await sample.click();
}

/** Search terms, and the expected result. */
const searches = {
  filter: "List animals",
  adopt: "List animals",
  add: "Add an animal",
  create: "Add an animal",
  key: "Authentication: API keys",
  limit: "List animals",
  status: "List animals",
  order: "List orders",
};

test("finds common search terms among the first three results", async () => {
  await using server = await startServer();
  await using reader = await open(new URL("/docs", server.url).href);
  const { page } = reader;
  await page.getByRole("main").getByRole("heading", { name: "List animals" }).waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Enter search query" });
  for (const [words, title] of Object.entries(searches)) {
    await field.fill("");
    await page.getByRole("option", { name: "Heading: Introduction" }).waitFor(); // with no words all are shown
    await field.fill(words);
    await page.getByRole("option", { name: "Heading: Introduction" }).waitFor({ state: "detached" });
    const firstThree = async (): Promise<string> => (await page.getByRole("option").allInnerTexts()).slice(0, 3).join();
    await expect.poll(firstThree, { message: words }).toContain(title);
  }
});

test("shows that it is loading, and an alternative if its program does not load", async () => {
  await using server = await startServer();
  await using reader = await open("about:blank");
  const { page } = reader;
  const release = await holdProgram(page, (route) => route.abort());
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
  await expect.poll(served).toEqual(["/docs", "/docs/{file}", "/v1/openapi.json", "/docs"]); // the last one read the name
  const before = served().length;
  await page.reload();
  await heading.waitFor();
  expect(reader.requests.filter((url) => url.endsWith(script))).toHaveLength(2);
  await expect.poll(() => served().slice(before)).toEqual(["/docs", "/v1/openapi.json"]);
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
