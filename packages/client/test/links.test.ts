import { describe, expect, test } from "vitest";
import {
  failure,
  inOrder,
  json,
  rex,
  scriptedClient,
  type ScriptedClient,
} from "./scripted-client.ts";

describe("a Link rel=next", () => {
  test.each([
    ["?cursor=a&limit=5", "a"],
    ["https://petstore.example/elsewhere?cursor=a", "a"],
    ["https://elsewhere.example/v1/pets?cursor=a&limit=5", "a"],
    ["//elsewhere.example/v1/pets?cursor=a", "a"],
    ["http://petstore.example/v1/pets?cursor=a", "a"],
    ["https://user:secret@petstore.example/v1/pets?cursor=a#b?cursor=c", "a"],
    ["https://[?cursor=a", "a"],
    ["/pets?cursor=a", "a"],
    ["?cursor=a%26b%20c", "a%26b+c"],
  ])(
    "to %s gives only its cursor: the key is sent to no other address, and the other parameters stay",
    async (reference, cursor) => {
      const { client, requests } = scriptedClient(
        inOrder(json(200, [], { Link: `<${reference}>; rel="next"` }), json(200, [])),
      );
      for await (const pet of client.listPets({ status: "sold" })) expect(pet).toBeUndefined();
      const first = "https://petstore.example/v1/pets?status=sold";
      expect(requests.map((request) => request.url)).toStrictEqual([
        first,
        `${first}&cursor=${cursor}`,
      ]);
    },
  );

  test.each([
    ['<?cursor=a>; rel="next"', "a"],
    ['<?cursor=0>; rel="prev", <?cursor=a>; rel="next"', "a"],
    ['<?cursor=a> ; title="b" ; REL="NEXT"', "a"],
    ['<?cursor=a>; rel=next; title="<?cursor=b>; rel=prev"', "a"],
    ['<?cursor=a,b>; rel="next"', "a,b"],
    ['<?cursor=a>; rel="next-archive"', undefined],
    ['<../pets>; rel="successor-version"', undefined],
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
    [1, 0, {}, 2],
    [2, 0, {}, 3],
    [2, 0, { cursor: "0" }, 2],
    [3, 5, {}, 9],
  ])(
    "of %d pages after %d others of %o, at the first repeated cursor",
    async (length, before, query, count) => {
      const { client, requests } = circle((number) =>
        number <= before ? -number : (number - before) % length,
      );
      const error = await failure(client.listPets(query).toArray({ max: Infinity }));
      expect(error).toMatchObject({ name: "DecodeError", field: "Link" });
      expect(requests).toHaveLength(count);
    },
  );

  test("and ten empty pages in a row are one, but not nine", async () => {
    let number = 0;
    const empty = (isEmpty: (page: number) => boolean) => () =>
      Response.json(isEmpty(++number) ? [] : [rex], {
        headers: { Link: `<?cursor=${number}>; rel=next` },
      });
    const endless = scriptedClient(empty(() => true));
    const error = await failure(endless.client.listPets().toArray({ max: 1 }));
    expect(error).toMatchObject({
      name: "DecodeError",
      operation: "listPets",
      field: "Link",
      status: 200,
    });
    expect((error as Error).message).toBe("listPets got 10 empty pages in a row");
    expect(endless.requests).toHaveLength(10);
    number = 0;
    const { client } = scriptedClient(empty((page) => page % 10 > 0));
    expect(await client.listPets().toArray({ max: 3 })).toHaveLength(3);
  });
});

test.each([1, 3])(
  "page %d whose next page has no cursor is a DecodeError that names it",
  async (last) => {
    let number = 0;
    const link = (): string => (++number === last ? "?limit=1" : `?cursor=${number}`);
    const { client } = scriptedClient(
      () => new Response("[]", { headers: { Link: `<${link()}>; rel=next` } }),
    );
    const error = await failure(client.listPets().toArray({ max: 9 }));
    expect(error).toMatchObject({ name: "DecodeError", field: "Link" });
    expect((error as Error).message).toMatch(/Link must be a link to a new page$/);
  },
);
