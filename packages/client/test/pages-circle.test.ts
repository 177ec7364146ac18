import { describe, expect, test } from "vitest";
import { DecodeError, type Page, type Pet } from "../src/index.ts";
import { failure, scriptedClient, type ScriptedClient } from "./scripted-client.ts";

/** Page number n leads to the cursor `next(n)`, which is a number. */
function circle(next: (number: number) => number): ScriptedClient {
  let number = 0;
  return scriptedClient(() => {
    const cursor = next(++number);
    if (number > 1_000) throw new Error("endless");
    return new Response("[]", { headers: { Link: `<?cursor=${cursor}>; rel="next"` } });
  });
}

describe("a circle of pages is a DecodeError", () => {
  test.each([
    [1, 0],
    [2, 0],
    [3, 0],
    [7, 0],
    [1, 5],
    [10, 3],
    [64, 100],
  ])("of %d pages after %d others", async (length, before) => {
    const next = (number: number): number => (number <= before ? -number : (number - before) % length);
    const { client, requests } = circle(next);
    expect(await failure(client.listPets().toArray({ max: 9 }))).toMatchObject({ name: "DecodeError", field: "Link" });
    // A constant number of rounds.
    expect(requests.length).toBeLessThanOrEqual(2 + 3 * (length + before));
    const walk = async (): Promise<void> => {
      for (let page: Page<Pet> | undefined = await circle(next).client.listPets(); page; page = await page.nextPage());
    };
    expect(await failure(walk())).toBeInstanceOf(DecodeError);
  });

  test.each([
    [1, 2],
    [2, 3],
  ])("of %d pages at the first repeated cursor, after %d requests", async (length, count) => {
    const { client, requests } = circle((number) => number % length);
    expect(await failure(client.listPets().toArray({ max: 9 }))).toBeInstanceOf(DecodeError);
    expect(requests).toHaveLength(count);
  });

  test("also when it leads back to the page that it began with", async () => {
    const { client, requests } = circle((number) => number % 2);
    expect(await failure(client.listPets({ cursor: "0" }).toArray({ max: 9 }))).toBeInstanceOf(DecodeError);
    expect(requests).toHaveLength(2);
  });

  test("and 5,000 different pages are none", async () => {
    let number = 0;
    const { client } = scriptedClient(
      () =>
        new Response(
          `[{"id":${++number}}]`,
          number < 5_000 ? { headers: { Link: `<?cursor=${number}>; rel=next` } } : {},
        ),
    );
    expect(await client.experimental.listOrders().toArray({ max: Infinity })).toHaveLength(5_000);
  });
});

test.each([1, 2, 3, 4])("page %d whose next page has no cursor is a DecodeError that names it", async (last) => {
  let number = 0;
  const link = (): string => (++number === last ? "?limit=1" : `?cursor=${number}`);
  const { client } = scriptedClient(() => new Response("[]", { headers: { Link: `<${link()}>; rel=next` } }));
  const error = await failure(client.listPets().toArray({ max: 9 }));
  expect(error).toMatchObject({ name: "DecodeError", field: "Link" });
  expect((error as Error).message).toMatch(/Link must be a link with a cursor$/);
});
