import { describe, expect, test } from "vitest";
import { createPetstoreClient, DecodeError } from "../src/index.ts";
import { failure, inOrder, json, scriptedClient } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

/** The shortest of several runs with this header, so that a pause of the machine does not count. */
async function shortestTime(part: string, length: number): Promise<number> {
  const response = json(200, [], { Link: part.repeat(length / part.length) });
  const { client } = scriptedClient(response);
  const times: number[] = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const start = performance.now();
    await client.listPets();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

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
    "https://petstore.example:444/v1/pets?cursor=a",
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
    ["?cursor=a&limit=5", "https://petstore.example/v1/pets?cursor=a&limit=5"],
    ["/v1/pets?cursor=a", "https://petstore.example/v1/pets?cursor=a"],
    ["https://petstore.example/v1/pets?cursor=a", "https://petstore.example/v1/pets?cursor=a"],
    ["https://petstore.example/elsewhere?cursor=a", "https://petstore.example/v1/pets?cursor=a"],
    ["https://user:secret@petstore.example/v1/pets?cursor=a", "https://petstore.example/v1/pets?cursor=a"],
    ["?cursor=a%26b%20c", "https://petstore.example/v1/pets?cursor=a%26b%20c"],
  ])("to %s keeps the base URL and the path", async (reference, url) => {
    const { client, requests } = scriptedClient(
      inOrder(json(200, [], { Link: `<${reference}>; rel="next"` }), json(200, [])),
    );
    await client.listPets({ status: "sold" }).toArray({ max: 9 });
    expect(requests.map((request) => request.url)).toStrictEqual(["https://petstore.example/v1/pets?status=sold", url]);
  });

  test.each(["<", "<a>", "<a> ", "<a>;", "<a>; rel=", " ", '"', '<a>"', '<a>"\\"', '\\"<a>', "<a>; rel=x;"])(
    "is parsed in linear time when it repeats %j",
    async (part) => {
      // In linear time 16 times the text takes 16 times as long, in quadratic time 256 times as long.
      const ratio = (await shortestTime(part, 65_536)) / (await shortestTime(part, 4_096));
      expect(ratio).toBeLessThan(64);
    },
  );

  test.each([
    ['<?cursor=a>; rel="next"', "a"],
    ["<?cursor=a>; rel=next", "a"],
    ["<?cursor=a>;rel=next", "a"],
    ['<?cursor=0>; rel="prev", <?cursor=a>; rel="next"', "a"],
    ['<?cursor=a>; rel="next", <?cursor=z>; rel="last"', "a"],
    ['<?cursor=a>; REL="NEXT"', "a"],
    ['<?cursor=a> ; title="b" ; rel = "next"', "a"],
    ['<?cursor=a>; rel="prev next"', "a"],
    ['<?cursor=a>; rel=next; title="<?cursor=b>; rel=prev"', "a"],
    ['<?cursor=b>; title="x, <?cursor=c>; rel=next", <?cursor=a>; rel=next', "a"],
    ['<?cursor=b>; title="; rel=next", <?cursor=a>; rel=next', "a"],
    ['<?cursor=b>; title="\\"; rel=next; x=\\""; rel=prev, <?cursor=a>; rel=next', "a"],
    ["<?cursor=a>; rel=next, <?cursor=b>; rel=next", "a"],
    ['<?cursor=a,b>; rel="next"', "a,b"],
    ['<?cursor=a>; rel="next-archive"', undefined],
    ["<?cursor=a>; rev=next", undefined],
    ["<?cursor=a>; xrel=next", undefined],
    ["<?cursor=a>; title=x rel=next", undefined],
    ['<?cursor=a>; rel="prev"', undefined],
    ['<../pets>; rel="successor-version"', undefined],
    ["", undefined],
  ])("%s leads to %s", async (link, next) => {
    const { client } = scriptedClient(json(200, [], { Link: link }));
    expect((await client.listPets()).next).toBe(next);
  });
});
