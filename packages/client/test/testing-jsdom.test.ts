import { maxBodyBytes } from "@petstore/contract";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createPetstoreClient } from "../src/index.ts";
import { createPetstoreFake, type BodyFault } from "../src/testing.ts";
import { createClock } from "./clock.ts";
import { failure } from "./scripted-client.ts";

const rex = { name: "Rex", categoryId: 7 };
const options = { maxRetries: 0 };

describe("the fake in Jest with jsdom, which has nothing of fetch but Headers", () => {
  const missing = [
    "fetch",
    "Request",
    "Response",
    "ReadableStream",
    "TextEncoder",
    "TextDecoder",
    "structuredClone",
  ];
  beforeEach(() => {
    for (const name of missing) vi.stubGlobal(name, undefined);
  });

  test("201 for an animal, which is exact and shown in the requests", async () => {
    const petstore = createPetstoreFake();
    const pet = { name: "Zoë 🐈", categoryId: 2n ** 63n - 1n };
    expect(await createPetstoreClient(petstore).createPet(pet)).toStrictEqual({
      id: 1,
      ...pet,
      status: "available",
    });
    expect(petstore.requests[0]?.body).toBe('{"name":"Zoë 🐈","categoryId":9223372036854775807}');
  });

  test("200 for every page of a list", async () => {
    const client = createPetstoreClient(
      createPetstoreFake({ pets: [rex, { ...rex, name: "Zoë 🐈" }, rex] }),
    );
    const names = (await client.listPets({ limit: 1 }).toArray({ max: 10 })).map(
      ({ name }) => name,
    );
    expect(names).toStrictEqual(["Rex", "Zoë 🐈", "Rex"]);
  });

  test("200 for a plain call of fetch, with JSON", async () => {
    const { fetch, baseUrl, apiKey } = createPetstoreFake({ pets: [rex] });
    const response = await fetch(new URL(`${baseUrl}/pets`), {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    expect(response).toMatchObject({ ok: true, status: 200 });
    expect(await response.json()).toStrictEqual([{ id: 1, ...rex, status: "available" }]);
  });

  test("404 as a typed error", async () => {
    const call = createPetstoreClient(createPetstoreFake()).experimental.updatePet(404, {
      status: "sold",
    });
    expect(await failure(call)).toMatchObject({ name: "NotFoundError", code: "pet_not_found" });
  });

  test("413 for a body with too many bytes", async () => {
    const { fetch, baseUrl, apiKey } = createPetstoreFake();
    const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
    const body = "é".repeat(maxBodyBytes / 2 + 1);
    expect((await fetch(`${baseUrl}/pets`, { method: "post", headers, body })).status).toBe(413);
  });

  test.each<[BodyFault["body"], string, string]>([
    ["stalled", "TimeoutError", "timed out"],
    ["cut", "ConnectionError", "a simulated fault"],
    ["invalid", "InterceptedError", "listPets"],
  ])("a fault with the body %s is a %s: %s", async (body, name, reason) => {
    const clock = createClock();
    const petstore = createPetstoreFake({ clock });
    petstore.faults.push({ body });
    const call = createPetstoreClient({ ...petstore, ...options }).listPets();
    expect(await clock.settle(failure(call))).toMatchObject({
      name,
      message: expect.stringContaining(reason),
    });
  });

  test("an abort ends a delayed request", async () => {
    expect(await abortDelayed()).toMatchObject({ message: "enough" });
  });

  test("a body that is not a text is a TypeError", async () => {
    const { fetch, baseUrl } = createPetstoreFake();
    const request = fetch(baseUrl, { method: "POST", body: new Uint8Array(1) });
    await expect(request).rejects.toThrow("only takes a text");
  });
});

/** The error of a request that is aborted while it waits. */
async function abortDelayed(): Promise<unknown> {
  const petstore = createPetstoreFake();
  petstore.faults.push({ latencyMs: Infinity });
  const controller = new AbortController();
  const failed = failure(
    createPetstoreClient(petstore).listPets({}, { signal: controller.signal }),
  );
  await expect.poll(() => petstore.requests.length).toBe(1);
  controller.abort(new Error("enough"));
  return await failed;
}

/** An AbortSignal that is not of Node, like that of jsdom. */
class ForeignSignal extends EventTarget {
  reason: unknown;
  get aborted(): boolean {
    return this.reason !== undefined;
  }
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

class ForeignController {
  readonly signal = new ForeignSignal();
  abort(reason: unknown): void {
    this.signal.reason = reason;
    this.signal.dispatchEvent(new Event("abort"));
  }
}

describe("the fake with the signals of jsdom beside the Request of Node", () => {
  beforeEach(() => void vi.stubGlobal("AbortController", ForeignController));

  test("201 for an animal", async () => {
    expect(await createPetstoreClient(createPetstoreFake()).createPet(rex)).toMatchObject(rex);
  });

  test("an abort ends a delayed request", async () => {
    expect(await abortDelayed()).toMatchObject({ message: "enough" });
  });
});
