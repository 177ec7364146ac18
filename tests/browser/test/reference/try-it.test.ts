import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { serve, temporaryDirectory } from "@petstore/test-servers/processes";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectGone, expectShown, openTab, visit } from "../visitor.ts";
import { addressOf, openClient, send } from "./reader.ts";

test("200 with the link that serve --dev prints: its key leaves the address at once, and what is sent and shown is exact", async () => {
  using directory = temporaryDirectory();
  const environment = { PETSTORE_PORT: "0", PETSTORE_DATABASE_URL: "memory:" };
  await using server = await serve(directory.path, { args: ["--dev"], environment });
  const key = readFileSync(join(directory.path, ".data/development.key"), "utf8").trim();
  const [, link = ""] = await server.printed(/^ *Reference +(\S+)$/m);
  await using reader = await visit(link);
  const { page, requests } = reader;

  // The key goes to no server and to no other tab, and survives a reload.
  expect(page.url()).toBe(new URL("/docs", server.url).href);
  const addresses = `[...navigation.entries().map(({ url }) => url), performance.getEntriesByType("navigation")[0].name]`;
  expect(await page.evaluate(`JSON.stringify(${addresses})`)).not.toContain(key);
  await page.reload();
  await expect.poll(() => keyShown(page)).toBe(key);
  const other = await openTab(page, page.url());
  expect(await keyShown(other)).toBe("");
  await other.close();
  expect(JSON.stringify(await page.context().storageState({ indexedDB: true }))).not.toContain(key);
  expect(requests.filter((url) => url.includes(key.slice(9)))).toEqual([]);

  // Animals of the store, without a key to enter, and others for other parameters.
  await page.goto(addressOf(server.url, "pets/GET/pets"));
  const client = await openClient(page, "get /pets");
  await expect.poll(() => client.getByRole("textbox", { name: "Bearer Token" }).inputValue()).toBe(key);
  expect(await send(client, "200 OK")).toContain('"name": "Bella"');
  const limit = client.getByRole("row", { name: "Include limit in request" });
  await limit.getByRole("combobox", { name: "Value" }).fill("2");
  await client.getByRole("button", { name: "available" }).click();
  await client.getByRole("menuitem", { name: "sold" }).click();
  const shown = JSON.parse(await send(client, "200 OK")) as unknown;
  expect(shown).toHaveLength(2);
  expect(shown).toEqual(JSON.parse((await server.call(key, "/pets?limit=2&status=sold")).text));
  await client.getByRole("checkbox", { name: "Include status in request" }).uncheck({ force: true });
  await limit.getByRole("combobox", { name: "Value" }).fill("1");
  expect(JSON.parse(await send(client, "200 OK"))).toMatchObject([{ id: 1, name: "Bella" }]);
  expect(requests.filter((url) => url.includes("/pets"))).toEqual([
    `${server.url}/pets?limit=20&status=available`,
    `${server.url}/pets?limit=2&status=sold`,
    `${server.url}/pets?limit=1`,
  ]);
});

test("200 and 201 with a key that is entered or comes with a link, 401 with a wrong one, and none is kept", async () => {
  await using server = await startServer({ hasSignInLinks: true });
  await using reader = await visit("about:blank");
  reader.expectFailures(/^401 GET/);
  const { page } = reader;
  await page.clock.install();
  await page.goto(new URL('/docs#key="><script>x</script>', server.url).href); // not a key
  expect(await keyShown(page)).toBe("");
  await page.goto(addressOf(server.url, "pets/GET/pets"));
  const list = await openClient(page, "get /pets");
  const key = list.getByRole("textbox", { name: "Bearer Token" });
  await key.fill("pst_test_wrong");
  expect(JSON.parse(await send(list, "401 Unauthorized"))).toEqual({
    code: "invalid_api_key",
    message: expect.any(String),
    status: 401,
  });
  await key.fill(server.apiKey);
  expect(JSON.parse(await send(list, "200 OK"))).toEqual([]);
  await page.clock.runFor("01:00"); // the page stores its data with a delay
  const kept = JSON.stringify(await page.context().storageState({ indexedDB: true }));
  expect(kept).toContain("scalar-"); // something is, and would be seen
  expect(kept).not.toContain("pst_");
  expect(await page.evaluate("JSON.stringify(sessionStorage)")).toBe("{}");
  await page.keyboard.press("Escape");
  await expectGone(list);

  // A link replaces the key of an earlier one.
  const other = await server.issueKey();
  for (const given of [server.apiKey, other.secret]) {
    await page.goto("about:blank");
    await page.goto(new URL(`/docs#key=${given}`, server.url).href);
    await expect.poll(() => keyShown(page)).toBe(given);
    expect(page.url()).not.toContain("pst_");
  }
  await page.goto(addressOf(server.url, "pets/POST/pets"));
  const create = await openClient(page, "post /pets");
  const body = create.getByRole("region", { name: "Request Body" });
  await body.getByRole("textbox").fill('{"name": "Ada", "categoryId": 9223372036854775807}');
  expect(await body.getByRole("button", { name: "Form" }).count()).toBe(0); // it would round the number
  expect(await send(create, "201 Created")).toContain('"categoryId": 9223372036854775807,');
  const { text } = await server.call("/pets");
  expect(text).toBe('[{"id":1,"name":"Ada","categoryId":9223372036854775807,"status":"available"}]');

  reader.expectFailures(/ERR_CONNECTION_REFUSED|The server does not respond/);
  await server.stop(0);
  await create.getByRole("button", { name: /^Send post request/ }).click();
  await expectShown(create.getByText("The server does not respond. Is it still running?"));
});

test("without links that sign in, the key of a link is not taken, and leaves the address", async () => {
  await using server = await startServer();
  const { secret } = await server.issueKey();
  await using reader = await visit(new URL("/docs", server.url).href);
  const { page } = reader;
  await page.evaluate((key) => sessionStorage.setItem("petstore-api-key", key), server.apiKey);
  const link = new URL(`/docs#key=${secret}`, server.url).href;
  await page.evaluate((address) => (location.href = address), link); // in the same page
  await expect.poll(() => page.url()).not.toContain("pst_");
  await page.goto("about:blank");
  await page.goto(link);
  const other = await openTab(page, link);
  for (const [tab, key] of [
    [page, server.apiKey],
    [other, ""],
  ] as const) {
    await expect.poll(() => keyShown(tab)).toBe(key);
    expect(tab.url()).not.toContain("pst_");
  }
});

/** The key that the page would send. */
async function keyShown(page: Page): Promise<string> {
  return await page.getByRole("textbox", { name: "Bearer Token" }).first().inputValue();
}
