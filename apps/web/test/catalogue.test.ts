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

test("an animal that was removed on the service, and then here, leaves the list", async () => {
  const fake = createPetstoreFake({
    pets: Array.from({ length: 101 }, (_, index) => ({ name: `${index}`, categoryId: 1 })),
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHeld = false;
  const client = createPetstoreClient({
    ...fake,
    int64: "string",
    fetch: async (input, init) => {
      const response = await fake.fetch(input, init);
      // The first page, after the last one has been read again.
      if (isHeld && !input.includes("cursor")) await promise;
      return response;
    },
  });
  const catalogue = new Catalogue(client);
  await catalogue.load();
  await client.experimental.deletePet("101");
  isHeld = true;
  const poll = catalogue.load(["1"]);
  await expect.poll(() => catalogue.find("101")).toBeUndefined();
  catalogue.remove("101");
  resolve();
  await poll;
  expect(catalogue.pets.value).toHaveLength(100);
});
