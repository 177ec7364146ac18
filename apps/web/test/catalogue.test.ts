import { createPetstoreClient } from "@petstore/client";
import { createPetstoreFake } from "@petstore/client/testing";
import { expect, test } from "vitest";
import { Catalogue } from "../src/list/catalogue.ts";

test("a page that was read before a change does not undo it", async () => {
  const fake = createPetstoreFake({ pets: [{ name: "Bella", categoryId: 1 }] });
  let delivered = Promise.resolve();
  const client = createPetstoreClient({
    ...fake,
    int64: "string",
    fetch: async (input, init) => {
      const response = await fake.fetch(input, init);
      if (init?.method !== "PATCH") await delivered;
      return response;
    },
  });
  const catalogue = new Catalogue(client);
  await catalogue.load();

  const { promise, resolve } = Promise.withResolvers<void>();
  delivered = promise;
  const poll = catalogue.load(["1"]);
  catalogue.put(await client.experimental.updatePet("1", { status: "pending" }));
  resolve();
  await poll;
  expect(catalogue.find("1")).toMatchObject({ status: "pending" });
});
