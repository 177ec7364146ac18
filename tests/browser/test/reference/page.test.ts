import { startServer } from "@petstore/server/start-server";
import { startProxy } from "@petstore/test-servers/proxy";
import { referenceFiles } from "@petstore/test-servers/reference-files";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectGone, expectShown, visit } from "../visitor.ts";
import { addressOf, openClient, send } from "./reader.ts";

const operations = { "List animals": "GET", "Add an animal": "POST", "Get an animal": "GET", "List orders": "GET" };

test("shows the document of the server, and requests nothing else, and its program only once", async () => {
  await using server = await startServer();
  await using reader = await visit(new URL("/docs", server.url).href);
  const { page } = reader;
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { info: { version: string } };
  await expectShown(page.getByText(`v${document.info.version}`, { exact: true }));

  const contents = page.getByRole("complementary");
  await contents.getByRole("button", { name: "Open Group - store" }).click();
  for (const [name, method] of Object.entries(operations)) {
    await contents.getByRole("link", { name: `${name} HTTP Method: ${method}` }).click();
    await expectShown(page.getByRole("main").getByRole("region", { name }).getByRole("heading", { name }));
  }
  const struck = contents.locator("a", { has: page.locator(".line-through") });
  await expect.poll(() => struck.allInnerTexts()).toEqual([expect.stringContaining("Get an animal")]);
  const deprecated = page.getByRole("main").getByRole("region", { name: "Get an animal" });
  await expect.poll(() => deprecated.innerText()).toMatch(/^deprecated/i);

  const { script, logo } = await referenceFiles(server.url);
  const paths = ["/docs", logo, script, "/v1/openapi.json"];
  expect(reader.requests.toSorted()).toEqual(paths.map((path) => new URL(path, server.url).href).toSorted());

  const served = (): unknown[] => server.logs.map(({ route }) => route);
  await expect
    .poll(served)
    .toEqual(["/docs", "/docs/{file}", "/docs/{file}", "/v1/openapi.json", "/v1/openapi.json", "/docs"]); // two are of this test
  const before = served().length;
  await page.reload();
  await expectShown(page.getByRole("main").getByRole("heading", { name: "Petstore" }));
  expect(reader.requests.filter((url) => url.endsWith(script))).toHaveLength(2); // the browser has kept it
  await expect.poll(() => served().slice(before)).toEqual(["/docs", "/v1/openapi.json"]);
});

/** Common search terms, and what must be among the first three results. */
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

test("marks experimental operations, shows how our programs call each operation, and finds common search terms", async () => {
  await using server = await startServer();
  await using reader = await visit(addressOf(server.url, "store/GET/store/orders"));
  const { page } = reader;
  const orders = page.getByRole("main").getByRole("region", { name: "List orders" });
  await expectShown(orders.getByText("Experimental", { exact: true }).first());
  await expect.poll(() => orders.evaluate((node) => node === document.activeElement)).toBe(true); // it has been scrolled to
  await expect.poll(() => orders.evaluate((node) => node.matches(":focus-visible"))).toBe(true);
  expect(await orders.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe("none"); // a frame would look like a fault
  await chooseSample(orders, "@petstore/client");
  await expectShown(orders.getByText("client.experimental.listOrders()"));
  await chooseSample(orders, "petstore");
  await expectShown(orders.getByText("petstore orders list"));

  await page.getByRole("complementary").getByRole("button", { name: "Open Group - pets" }).click();
  await page.getByRole("complementary").getByRole("link", { name: "List animals" }).click();
  const pets = page.getByRole("main").getByRole("region", { name: "List animals" });
  await expectShown(pets.getByRole("heading", { name: "List animals" }));
  expect(await pets.getByText("Experimental", { exact: true }).count()).toBe(0);

  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Enter search query" });
  for (const [words, title] of Object.entries(searches)) {
    await field.fill("");
    await expectShown(page.getByRole("option", { name: "Heading: Introduction" })); // with no words all are shown
    await field.fill(words);
    await expectGone(page.getByRole("option", { name: "Heading: Introduction" }));
    const first = async (): Promise<string> => (await page.getByRole("option").allInnerTexts()).slice(0, 4).join();
    await expect.poll(first, { message: words }).toContain(title);
  }
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

test("200 behind a proxy that serves it below a path, even for /docs/, which leads to the page", async () => {
  await using server = await startServer();
  await using proxy = await startProxy(server.port, "/shop");
  const root = `${proxy.origin}/shop`;
  await using reader = await visit(`${root}/docs/#tag/store/GET/store/orders`);
  const { page } = reader;
  await expectShown(page.getByRole("main").getByRole("heading", { name: "List orders" }));
  expect(page.url()).toBe(`${root}/docs#tag/store/GET/store/orders`);
  await page.goto(`${root}/docs#tag/pets/GET/pets`);
  const client = await openClient(page, "get /pets");
  await client.getByRole("textbox", { name: "Bearer Token" }).fill(server.apiKey);
  expect(await send(client, "200 OK")).toBe("[]");
  const { script, logo } = await referenceFiles(server.url);
  const paths = [
    "docs/",
    "docs",
    logo.slice(1),
    script.slice(1),
    "v1/openapi.json",
    "v1/pets?limit=20&status=available",
  ];
  expect(reader.requests.toSorted()).toEqual(paths.map((each) => `${root}/${each}`).toSorted());
  await page.keyboard.press("Escape");
  await page.getByRole("banner").getByRole("link", { name: "Board" }).click();
  await page.waitForURL(`${root}/`);
});
