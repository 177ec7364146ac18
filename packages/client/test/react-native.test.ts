import { beforeEach, expect, test, vi } from "vitest";
import { inOrder, json, rex, scriptedClient } from "./scripted-client.ts";

/** The URL of React Native joins what it is given, and has no `canParse`. */
class ReactNativeURL {
  readonly href: string;
  constructor(url: string, base?: string) {
    this.href = base === undefined ? url : `${base}/${url}`;
  }
  get origin(): string {
    return /^https?:\/\/[^/]+/.exec(this.href)?.[0] ?? "";
  }
  get search(): string {
    return /\?[^#]*/.exec(this.href)?.[0] ?? "";
  }
}

beforeEach(() => {
  vi.stubGlobal("URL", ReactNativeURL);
  vi.stubGlobal("crypto", undefined);
});

test("200 for every page of a list in React Native", async () => {
  const pages = [json(200, [rex], { Link: '<?limit=1&cursor=c2>; rel="next"' }), json(200, [{ ...rex, id: 2 }])];
  const { client, requests } = scriptedClient(inOrder(...pages));
  expect((await client.listPets({ limit: 1 }).toArray({ max: 10 })).map(({ id }) => id)).toStrictEqual([1, 2]);
  expect(requests[1]?.url).toBe("https://petstore.example/v1/pets?limit=1&cursor=c2");
});

test("201 with an idempotency key of the program in React Native, which has no crypto", async () => {
  const { client } = scriptedClient(json(201, rex));
  expect(await client.createPet({ name: "Rex", categoryId: 7 }, { idempotencyKey: "own" })).toStrictEqual(rex);
});
