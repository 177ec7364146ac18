import { startServer } from "@petstore/server/start-server";
import { startProxy } from "@petstore/test-servers/proxy";
import { referenceProgram } from "@petstore/test-servers/reference-files";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectGone, expectShown, visit } from "./visitor.ts";

test("below a path, even from /docs/, the reference page shows the document of the server, and requests nothing else", async () => {
  await using server = await startServer();
  await using proxy = await startProxy(server.port, "/shop");
  const root = `${proxy.origin}/shop`;
  await using reader = await visit(`${root}/docs/#tag/store/GET/store/orders`);
  const { page } = reader;
  const orders = page.getByRole("main").getByRole("region", { name: "List orders" });
  await expectShown(orders.getByRole("heading", { name: "List orders" }));
  await page.getByText("Loading, which needs").waitFor({ state: "hidden" });
  expect(page.url()).toBe(`${root}/docs#tag/store/GET/store/orders`);
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    info: { version: string };
  };
  await expectShown(page.getByText(`v${document.info.version}`, { exact: true }));
  await expectShown(orders.getByText("Experimental", { exact: true }).first());

  await page.goto(`${root}/docs#tag/pets/GET/pets`);
  const client = await openClient(page, "get /pets");
  await client.getByRole("textbox", { name: "Bearer Token" }).fill(server.apiKey);
  await send(client, "200 OK", /^\[\]$/);
  const program = (await referenceProgram(server.url)).slice(1);
  const paths = ["docs/", "docs", program, "v1/openapi.json", "v1/pets?limit=20&status=available"];
  expect(reader.requests.toSorted()).toEqual(paths.map((each) => `${root}/${each}`).toSorted());
});

test("what is sent from the reference page is exact, and the page keeps no key", async () => {
  await using server = await startServer();
  await using reader = await visit("about:blank", { expected: [/^401 GET/] });
  const { page } = reader;
  await page.clock.install();
  await page.goto(addressOf(server.url, "pets/GET/pets"));
  const list = await openClient(page, "get /pets");
  const key = list.getByRole("textbox", { name: "Bearer Token" });
  await send(list, "401 Unauthorized", /"code": "missing_api_key"/);
  await key.fill("pst_test_wrong");
  await send(list, "401 Unauthorized", /"code": "invalid_api_key"/);
  await key.fill(server.apiKey);
  await send(list, "200 OK", /^\[\]$/);
  await page.keyboard.press("Escape");
  await expectGone(list);

  await page.goto(addressOf(server.url, "pets/POST/pets"));
  const create = await openClient(page, "post /pets");
  const body = create.getByRole("region", { name: "Request Body" });
  await body.getByRole("textbox").fill('{"name": "Ada", "categoryId": 9223372036854775807}');
  // it would round the number
  expect(await body.getByRole("button", { name: "Form" }).count()).toBe(0);
  await send(create, "201 Created", /"categoryId": 9223372036854775807,/);
  const { text } = await server.call("/pets");
  expect(text).toBe(
    '[{"id":1,"name":"Ada","categoryId":9223372036854775807,"status":"available"}]',
  );

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Set dark mode" }).click(); // the page keeps this
  await page.clock.runFor("01:00"); // the page stores its data with a delay
  const kept = JSON.stringify(await page.context().storageState({ indexedDB: true }));
  expect(kept).toContain("dark"); // what is kept would be seen
  expect(kept).not.toContain("pst_");
});

test("the samples of the reference page are those of the document, beginning with our client", async () => {
  await using server = await startServer();
  await using reader = await visit(addressOf(server.url, "pets/POST/pets"));
  const create = reader.page.getByRole("main").getByRole("region", { name: "Add an animal" });
  await expectShown(create.getByText("createPetstoreClient()"));
  await create.getByRole("button", { name: "@petstore/client" }).click();
  const samples = reader.page.getByRole("listbox").getByRole("option");
  expect(await samples.allInnerTexts()).toEqual(["@petstore/client", "petstore", "curl", "Python"]);
});

test("without its program, the reference page leads to the document", async () => {
  await using server = await startServer();
  await using reader = await visit("about:blank", {
    expected: [/^net::ERR_FAILED GET/, /^Scalar is not defined/],
  });
  await reader.page.route("**/docs/*", (route) => route.abort());
  await reader.page.goto(new URL("/docs", server.url).href);
  await reader.page.getByRole("link", { name: "openapi.json" }).click();
  await expect.poll(() => reader.page.url()).toBe(`${server.url}/openapi.json`);
});

/** Where the reference of a server shows an operation. */
function addressOf(url: string, operation: string): string {
  return new URL(`/docs#tag/${operation}`, url).href;
}

/** The part of the page where the shown operation can be tried, opened. */
async function openClient(page: Page, operation: string): Promise<Locator> {
  await page.getByRole("button", { name: `Test Request (${operation})` }).click();
  const client = page.getByRole("dialog", { name: "API Client" });
  await client.waitFor();
  return client;
}

/**
 * Sends the request that stands there, and waits until a response with this status and body is
 * shown.
 */
async function send(client: Locator, status: string, body: RegExp): Promise<void> {
  await client.getByRole("button", { name: /^Send \w+ request to/ }).click();
  const response = client.getByRole("region", { name: "Response", exact: true });
  await response.getByRole("link", { name: status }).waitFor();
  const shown = response.getByRole("region", { name: "Body" }).getByRole("textbox");
  await expect.poll(() => shown.innerText()).toMatch(body);
}
