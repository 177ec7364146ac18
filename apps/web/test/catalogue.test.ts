import { createPetstoreClient } from "@petstore/client";
import { createPetstoreFake } from "@petstore/client/testing";
import { expect, test } from "vitest";
import { Catalogue } from "../src/catalogue/catalogue.ts";
import { ListPages, type Page } from "../src/catalogue/list-pages.ts";

/** Loads animals, and then holds the responses to some requests back until `release` is called. */
async function load(count: number, isHeld: (address: string, method?: string) => boolean) {
  const fake = createPetstoreFake({
    pets: Array.from({ length: count }, () => ({ name: "Bella", categoryId: 1 })),
  });
  const { promise, resolve: release } = Promise.withResolvers<void>();
  let isLoaded = false;
  const client = createPetstoreClient({
    ...fake,
    int64: "string",
    fetch: async (input, init) => {
      const response = await fake.fetch(input, init);
      if (isLoaded && isHeld(input, init?.method)) await promise;
      return response;
    },
  });
  const catalogue = new Catalogue(client, setImmediate);
  await catalogue.load();
  isLoaded = true;
  return { catalogue, client, release };
}

test("a page that was read before a change does not undo it", async () => {
  const { catalogue, client, release } = await load(1, (_, method) => method !== "PATCH");
  const poll = catalogue.load(["1"]);
  catalogue.put(await client.experimental.updatePet("1", { status: "pending" }));
  release();
  await poll;
  expect(catalogue.find("1")).toMatchObject({ status: "pending" });
});

test("an animal that was removed on the service, and then here, leaves the list", async () => {
  // The first page is held back, after the last one has been read again.
  const { catalogue, client, release } = await load(
    101,
    (address, method) => method !== "DELETE" && !address.includes("cursor"),
  );
  await client.experimental.deletePet("101");
  const poll = catalogue.load(["1"]);
  await expect.poll(() => catalogue.find("101")).toBeUndefined();
  catalogue.remove("101");
  release();
  await poll;
  expect(catalogue.pets.value).toHaveLength(100);
});

test("a page without animals ends the list, even if it links to another one", () => {
  const list = new ListPages();
  list.note(list.next as Page, [], "cursor");
  expect(list.next).toBeUndefined();
});
