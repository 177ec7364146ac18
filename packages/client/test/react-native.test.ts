import { beforeEach, describe, expect, test, vi } from "vitest";
import { createPetstoreClient, InvalidArgumentError } from "../src/index.ts";
import { drop, failure, inOrder, json, rex, scriptedClient, silence } from "./scripted-client.ts";

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
  const pages = [
    json(200, [rex], { Link: '<?limit=1&cursor=c2>; rel="next"' }),
    json(200, [{ ...rex, id: 2 }]),
  ];
  const { client, requests } = scriptedClient(inOrder(...pages));
  expect(
    (await client.listPets({ limit: 1 }).toArray({ max: 10 })).map(({ id }) => id),
  ).toStrictEqual([1, 2]);
  expect(requests[1]?.url).toBe("https://petstore.example/v1/pets?limit=1&cursor=c2");
});

test("201 with an idempotency key of the program in React Native, which has no crypto", async () => {
  const { client } = scriptedClient(json(201, rex));
  expect(
    await client.createPet({ name: "Rex", categoryId: 7 }, { idempotencyKey: "own" }),
  ).toStrictEqual(rex);
});

test("without crypto, a write needs an idempotency key of the program, and nothing is sent", async () => {
  const { client, requests } = scriptedClient(json(201, rex));
  const message = "idempotencyKey must be passed: there is no crypto.getRandomValues";
  expect(await failure(client.createPet({ name: "Rex", categoryId: 7 }))).toEqual(
    new InvalidArgumentError(message),
  );
  expect(requests).toEqual([]);
});

test("without fetch, every call says so at once", async () => {
  vi.stubGlobal("fetch", undefined);
  const client = createPetstoreClient({
    baseUrl: "https://petstore.example/v1",
    apiKey: "pst_test_key",
  });
  const message = "fetch must be an option: there is no global one";
  const error = await failure(client.listPets());
  expect(error).toBeInstanceOf(InvalidArgumentError);
  expect(error).toMatchObject({ message, retries: 0 });
});

test("what a fetch misses, such as Request, is said at once, and never retried", async () => {
  const { client, requests } = scriptedClient(() => {
    throw new ReferenceError("Request is not defined");
  });
  expect(await failure(client.listPets())).toEqual(new ReferenceError("Request is not defined"));
  expect(requests).toHaveLength(1);
});

/**
 * The package `abort-controller`, which React Native has up to 0.86: without a reason, and without
 * `throwIfAborted`.
 */
class OlderAbortController {
  readonly signal = Object.assign(new EventTarget(), { aborted: false });
  abort(): void {
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event("abort"));
  }
}

describe("with the AbortController of older React Native", () => {
  beforeEach(() => void vi.stubGlobal("AbortController", OlderAbortController));

  test("200 for a call", async () => {
    const { client } = scriptedClient(json(200, [rex]));
    expect((await client.listPets()).data).toEqual([rex]);
  });

  test.each(["before", "during"])(
    "a signal that aborts %s a call ends it with an error",
    async (when) => {
      const { client } = scriptedClient(silence);
      const controller = new OlderAbortController();
      if (when === "before") controller.abort();
      const call = client.listPets({}, { signal: controller.signal as unknown as AbortSignal });
      const ended = failure(call);
      if (when === "during") controller.abort();
      expect(await ended).toEqual(new Error("This operation was aborted"));
    },
  );

  test("a signal that aborts while a call waits ends it with an error", async () => {
    const { client, clock } = scriptedClient(drop);
    const controller = new OlderAbortController();
    const ended = failure(
      client.listPets({}, { signal: controller.signal as unknown as AbortSignal }),
    );
    await clock.pass(0); // until it waits for the next attempt
    controller.abort();
    expect(await ended).toEqual(new Error("This operation was aborted"));
  });
});
