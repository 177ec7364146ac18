import { endurance } from "@petstore/test-kit/endurance";
import { describe, expect, test } from "vitest";
import { createPetstoreClient, DecodeError } from "../src/index.ts";
import { failure, inOrder, json, rex, scriptedClient, type ScriptedClient } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

describe("a Link rel=next", () => {
  test("to another origin is rejected, and the key is not sent there", async () => {
    await using elsewhere = await startScriptedServer((_request, response) => response.end("[]"));
    await using server = await startScriptedServer((_request, response) => {
      response.setHeader("Link", `<${elsewhere.url}/pets?cursor=a>; rel="next"`);
      response.end("[]");
    });
    const client = createPetstoreClient({ baseUrl: server.url, apiKey: "key" });
    expect(await failure(client.listPets().toArray({ max: 9 }))).toBeInstanceOf(DecodeError);
    expect(await failure(client.listPets())).toBeInstanceOf(DecodeError);
    expect(elsewhere.requests).toHaveLength(0);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    "https://elsewhere.example/v1/pets?cursor=a",
    "//elsewhere.example/v1/pets?cursor=a",
    "http://petstore.example/v1/pets?cursor=a",
    "https://petstore.example.elsewhere.example/v1/pets?cursor=a",
    "https://petstore.example@elsewhere.example/v1/pets?cursor=a",
    "data:application/json,[]",
    "https://[",
  ])("to %s is a DecodeError", async (reference) => {
    const { client, requests } = scriptedClient(
      inOrder(json(200, [], { Link: `<${reference}>; rel="next"` }), json(200, [])),
    );
    expect(await failure(client.listPets().toArray({ max: 9 }))).toBeInstanceOf(DecodeError);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ["?cursor=a&limit=5", "a"],
    ["/v1/pets?cursor=a", "a"],
    ["https://petstore.example/v1/pets?cursor=a", "a"],
    ["https://petstore.example/elsewhere?cursor=a", "a"],
    ["https://user:secret@petstore.example/v1/pets?cursor=a", "a"],
    ["?cursor=a%26b%20c", "a%26b+c"],
  ])("to %s keeps the base URL, the path and the query", async (reference, cursor) => {
    const { client, requests } = scriptedClient(
      inOrder(json(200, [], { Link: `<${reference}>; rel="next"` }), json(200, [])),
    );
    for await (const pet of client.listPets({ status: "sold" })) expect(pet).toBeUndefined();
    const first = "https://petstore.example/v1/pets?status=sold";
    expect(requests.map((request) => request.url)).toStrictEqual([first, `${first}&cursor=${cursor}`]);
  });

  test.each([
    ['<?cursor=a>; rel="next"', "a"],
    ["<?cursor=a>; rel=next", "a"],
    ['<?cursor=0>; rel="prev", <?cursor=a>; rel="next"', "a"],
    ['<?cursor=a>; REL="NEXT"', "a"],
    ['<?cursor=a> ; title="b" ; rel="next"', "a"],
    ['<?cursor=a>; rel=next; title="<?cursor=b>; rel=prev"', "a"],
    ["<?cursor=a>; rel=next, <?cursor=b>; rel=next", "a"],
    ['<?cursor=a,b>; rel="next"', "a,b"],
    ['<?cursor=a>; rel="next-archive"', undefined],
    ["<?cursor=a>; rev=next", undefined],
    ['<?cursor=a>; rel="prev"', undefined],
    ['<../pets>; rel="successor-version"', undefined],
    ["", undefined],
  ])("%s leads to %s", async (link, next) => {
    const { client } = scriptedClient(json(200, [], { Link: link }));
    expect((await client.listPets()).next).toBe(next);
  });
});

/** Page number n leads to the cursor `next(n)`, which is a number. */
function circle(next: (number: number) => number): ScriptedClient {
  let number = 0;
  return scriptedClient(() => {
    const cursor = next(++number);
    if (number > 1_000) throw new Error("endless");
    return Response.json([rex], { headers: { Link: `<?cursor=${cursor}>; rel="next"` } });
  });
}

describe("a loop of pages is a DecodeError", () => {
  test.each([
    [1, 0],
    [3, 0],
    [1, 5],
    [64, 100],
  ])("of %d pages after %d others", async (length, before) => {
    const next = (number: number): number => (number <= before ? -number : (number - before) % length);
    const { client, requests } = circle(next);
    expect(await failure(client.listPets().toArray({ max: Infinity }))).toMatchObject({
      name: "DecodeError",
      field: "Link",
    });
    // A constant number of rounds.
    expect(requests.length).toBeLessThanOrEqual(2 + 3 * (length + before));
  });

  test.each([
    [1, 2, {}],
    [2, 3, {}],
    [2, 2, { cursor: "0" }],
  ])("of %d pages at the first repeated cursor, after %d requests of %o", async (length, count, query) => {
    const { client, requests } = circle((number) => number % length);
    expect(await failure(client.listPets(query).toArray({ max: Infinity }))).toBeInstanceOf(DecodeError);
    expect(requests).toHaveLength(count);
  });

  test("and ten empty pages in a row are one, but not nine", async () => {
    let number = 0;
    const empty = (isEmpty: (page: number) => boolean) => () =>
      Response.json(isEmpty(++number) ? [] : [rex], { headers: { Link: `<?cursor=${number}>; rel=next` } });
    const endless = scriptedClient(empty(() => true));
    const error = await failure(endless.client.listPets().toArray({ max: 1 }));
    expect(error).toMatchObject({ name: "DecodeError", operation: "listPets", field: "Link", status: 200 });
    expect((error as Error).message).toBe("listPets got 10 empty pages in a row");
    expect(endless.requests).toHaveLength(10);
    number = 0;
    const { client } = scriptedClient(empty((page) => page % 10 > 0));
    expect(await client.listPets().toArray({ max: 3 })).toHaveLength(3);
  });

  test("and many different pages are not", async () => {
    let number = 0;
    const last = endurance(500, 5_000);
    const { client } = scriptedClient(() => {
      const headers: Record<string, string> = ++number < last ? { Link: `<?cursor=${number}>; rel=next` } : {};
      return Response.json([{ id: number }], { headers });
    });
    expect(await client.experimental.listOrders().toArray({ max: Infinity })).toHaveLength(last);
  });
});

test.each([1, 2, 3, 4])("page %d whose next page has no cursor is a DecodeError that names it", async (last) => {
  let number = 0;
  const link = (): string => (++number === last ? "?limit=1" : `?cursor=${number}`);
  const { client } = scriptedClient(() => new Response("[]", { headers: { Link: `<${link()}>; rel=next` } }));
  const error = await failure(client.listPets().toArray({ max: 9 }));
  expect(error).toMatchObject({ name: "DecodeError", field: "Link" });
  expect((error as Error).message).toMatch(/Link must be a link to a new page$/);
});
