import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { expectHttpError, startService } from "./service.ts";

const pet = { name: "Rex", categoryId: 7, status: "available" as const };

test.for([-7, -(2n ** 63n), 2n ** 53n + 1n])("200 for %s", async (id) => {
  const { call } = startService({ pets: [{ id, ...pet }, { id: 8, ...pet }] }); // prettier-ignore
  expect(await call("getPet", { params: { petId: `${id}` } })).toStrictEqual({
    status: 200,
    text: `{"id":${id},"name":"Rex","categoryId":7,"status":"available"}`,
    headers: {},
  });
});

test.each(["2", "01", "-0", "one", "1/1", " 1", "9223372036854775808", "%", ""])(
  "404 for the id %j, and the store is asked only for a valid one",
  async (petId) => {
    const asked: unknown[] = [];
    const { call } = startService({ override: { getPet: async (id) => void asked.push(id) } });
    const get = () => call("getPet", { params: { petId } });
    await expectHttpError(get, "pet_not_found", "There is no animal with this id.", {});
    expect(asked).toStrictEqual(petId === "2" ? [2] : []);
  },
);

test("200 from a store whose promises are not instances of Promise", async () => {
  const stored = { id: 7, ...pet };
  const later = runInNewContext("(value) => Promise.resolve(value)") as (value: unknown) => unknown;
  const service = startService({
    override: {
      getPet: () => later(stored) as never,
      listPets: () => later([{ id: 7, json: "{}" }]) as never,
    },
  });
  expect(await service.call("getPet", { params: { petId: "7" } })).toMatchObject({
    text: JSON.stringify(stored),
  });
  expect(await service.call("listPets")).toMatchObject({ text: "[{}]" });
});
