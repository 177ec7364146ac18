import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { serve, temporaryDirectory, type Serving } from "@petstore/test-kit/processes";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { addressOf, openClient, send, useChromium } from "./reader.ts";

const open = useChromium();

describe("with serve --dev", () => {
  test("200 with animals of the store, without a key to enter, and others for other parameters", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    const key = developmentKey(directory.path);
    await using reader = await open(await printedLink(server));
    await reader.page.goto(addressOf(server.url, "pets/GET/pets"));
    const client = await openClient(reader.page, "get /pets");
    await expect.poll(() => client.getByRole("textbox", { name: "Bearer Token" }).inputValue()).toBe(key);
    expect(await send(client, "200 OK")).toContain('"name": "Bella"');

    const limit = client.getByRole("row", { name: "Include limit in request" });
    await limit.getByRole("combobox", { name: "Value" }).fill("2");
    await client.getByRole("button", { name: "available" }).click();
    await client.getByRole("menuitem", { name: "sold" }).click();
    const shown = JSON.parse(await send(client, "200 OK")) as unknown;
    const { text } = await server.call(key, "/pets?limit=2&status=sold");
    expect(shown).toHaveLength(2);
    expect(shown).toEqual(JSON.parse(text));

    await client.getByRole("checkbox", { name: "Include status in request" }).uncheck({ force: true });
    await limit.getByRole("combobox", { name: "Value" }).fill("1");
    expect(JSON.parse(await send(client, "200 OK"))).toMatchObject([{ id: 1, name: "Bella" }]);
    expect(reader.requests.filter((url) => url.includes("/pets"))).toEqual([
      `${server.url}/pets?limit=20&status=available`,
      `${server.url}/pets?limit=2&status=sold`,
      `${server.url}/pets?limit=1`,
    ]);
    expect(reader.complaints).toEqual([]);
  });

  test("201 adds an animal once, with a 64-bit number as it was typed, and the page reports when the server has stopped", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    await using reader = await open(await printedLink(server));
    await reader.page.goto(addressOf(server.url, "pets/POST/pets"));
    const client = await openClient(reader.page, "post /pets");
    const body = client.getByRole("region", { name: "Request Body" });
    await body.getByRole("textbox").fill('{"name": "Ada", "categoryId": 9223372036854775807}');
    expect(await body.getByRole("button", { name: "Form" }).count()).toBe(0); // it would round the number
    expect(await send(client, "201 Created")).toContain('"categoryId": 9223372036854775807,');

    const { text } = await server.call(developmentKey(directory.path), "/pets?limit=100");
    expect(text.match(/\{[^}]*"Ada"[^}]*\}/g)).toEqual([
      '{"id":21,"name":"Ada","categoryId":9223372036854775807,"status":"available"}',
    ]);
    expect(reader.complaints).toEqual([]);

    process.kill(server.pid, "SIGTERM");
    expect((await server.ended).exitCode).toBe(0);
    await client.getByRole("button", { name: /^Send post request/ }).click();
    await client.getByText("The server does not respond. Is it still running?").waitFor();
  });
});

describe("the link that serve --dev prints", () => {
  test("200 with the key, which leaves the address at once, goes to no server and to no other tab, and survives a reload", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    const key = developmentKey(directory.path);
    await using reader = await open(await printedLink(server));
    const { page } = reader;
    expect(page.url()).toBe(new URL("/docs", server.url).href);
    expect(await page.evaluate("JSON.stringify(navigation.entries().map(({ url }) => url))")).not.toContain(key);
    await page.reload();
    await expect.poll(() => keyShown(page)).toBe(key);

    const other = await page.context().newPage();
    await other.goto(page.url());
    expect(await keyShown(other)).toBe("");
    expect(JSON.stringify(await page.context().storageState({ indexedDB: true }))).not.toContain(key);
    expect(reader.requests.filter((url) => url.includes(key.slice(9)))).toEqual([]);
    expect(reader.complaints).toEqual([]);
  });

  test("200 with another key for a link that is followed in the same tab", async () => {
    await using server = await startServer();
    await using reader = await open(addressOf(server.url, "pets/GET/pets"));
    const { page } = reader;
    expect(await keyShown(page)).toBe("");
    const link = new URL(`/docs#key=${server.apiKey}`, server.url).href;
    await page.goto(link);
    await page.waitForURL((url) => url.hash === "");
    await expect.poll(() => keyShown(page)).toBe(server.apiKey);
  });

  test("200 without a key for a link without a valid key", async () => {
    await using server = await startServer();
    await using reader = await open(new URL('/docs#key="><script>x</script>', server.url).href);
    expect(await keyShown(reader.page)).toBe("");
    expect(await reader.page.evaluate("JSON.stringify(sessionStorage)")).toBe("{}");
    expect(reader.complaints).toEqual([]);
  });
});

describe("with a server that knows no development key", () => {
  test("401 for a wrong key, 200 for the right one, and none of it is kept", async () => {
    await using server = await startServer();
    await server.call("/pets", { body: { name: "Rex", categoryId: 7 } });
    await using reader = await open("about:blank");
    const { page } = reader;
    await page.clock.install();
    await page.goto(addressOf(server.url, "pets/GET/pets"));
    const client = await openClient(page, "get /pets");
    const key = client.getByRole("textbox", { name: "Bearer Token" });
    expect(await key.inputValue()).toBe("");

    await key.fill("pst_test_wrong");
    expect(JSON.parse(await send(client, "401 Unauthorized"))).toEqual({
      code: "invalid_api_key",
      message: expect.any(String),
      status: 401,
    });
    await key.fill(server.apiKey);
    expect(JSON.parse(await send(client, "200 OK"))).toMatchObject([{ name: "Rex" }]);
    await page.clock.runFor("01:00"); // the page stores its data with a delay

    const kept = JSON.stringify(await page.context().storageState({ indexedDB: true }));
    expect(kept).toContain("scalar-"); // something is, and would be seen
    expect(kept).not.toContain("pst_");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).toBe("{}");
    // Chromium itself reports every response that is an error.
    expect(reader.complaints).toEqual([expect.stringContaining("the server responded with a status of 401")]);
  });
});

function serveDevelopment(directory: string): Promise<Serving> {
  return serve(directory, { args: ["--dev"], environment: { PETSTORE_PORT: "0", PETSTORE_DATABASE_URL: "memory:" } });
}

async function printedLink(server: Serving): Promise<string> {
  const [, link = ""] = await server.printed(/^ *Reference +(\S+)$/m);
  return link;
}

/** The key that the page would send. */
async function keyShown(page: Page): Promise<string> {
  return await page.getByRole("textbox", { name: "Bearer Token" }).first().inputValue();
}

function developmentKey(directory: string): string {
  return readFileSync(join(directory, ".data/development.key"), "utf8").trim();
}
