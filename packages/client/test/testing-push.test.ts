import { describe, expect, test } from "vitest";
import { createPetstoreClient } from "../src/index.ts";
import { createPetstoreFake, type Fault } from "../src/testing.ts";
import { createClock } from "./clock.ts";
import { expectNamed, failure, thrownBy } from "./scripted-client.ts";

describe("push rejects an invalid fault by name", () => {
  test.each<[string, unknown]>([
    ["a fault", {}],
    ["a fault", { times: 2 }],
    ["a fault", null],
    ["a fault", 503],
    ["status", { status: 101 }],
    ["status", { status: 200 }],
    ["status", { status: 204 }],
    ["status", { status: 304 }],
    ["status", { status: 999 }],
    ["status", { status: "503" }],
    ["times", { status: 503, times: 0 }],
    ["times", { status: 503, times: -1 }],
    ["times", { status: 503, times: 1.5 }],
    ["code", { status: 503, code: "unavialable" }],
    ["connection", { connection: "refuse" }],
    ["body", { body: "stall" }],
    ["latencyMs", { latencyMs: -1 }],
    ["operation", { status: 503, operation: "listPet" }],
    ["when", { status: 503, when: true }],
  ])("%s: %o", (name, fault) => {
    const { faults } = createPetstoreFake();
    expectNamed(
      thrownBy(() => faults.push({ status: 503 }, fault as Fault)),
      name,
    );
    expect(faults).toStrictEqual([]);
  });
});

test("the same fault can be added twice, and again", async () => {
  const fault: Fault = { status: 503, times: 2 };
  const clock = createClock();
  const petstore = createPetstoreFake({ clock });
  const client = createPetstoreClient({ ...petstore, maxRetries: 3 });
  petstore.faults.push(fault, fault);
  await failure(clock.settle(client.listPets()));
  expect(petstore.faults).toStrictEqual([]);
  petstore.faults.push(fault);
  await failure(client.listPets({}, { maxRetries: 0 }));
  expect(petstore.faults).toStrictEqual([fault]);
});

test("302 with a Location is a redirect", async () => {
  const petstore = createPetstoreFake();
  petstore.faults.push({ status: 302, headers: { Location: "https://new.example/v1" } });
  const error = await failure(createPetstoreClient(petstore).listPets());
  expect(error).toMatchObject({ status: 302, code: "redirected" });
  expect((error as Error).message).toContain("https://new.example/v1");
});
