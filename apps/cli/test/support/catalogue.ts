import type { Pet } from "@petstore/client";
import { startServer, type TestServer } from "@petstore/server/start-server";

/** An animal, which may be given its id when it is stored. */
export type Animal = Omit<Pet, "id"> & { id?: Pet["id"] };

/** Animals that differ only in their names. */
export function animals(count: number, fields: Partial<Omit<Pet, "id">> = {}): Animal[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `Animal ${index + 1}`,
    categoryId: 7,
    status: "available",
    ...fields,
  }));
}

export interface Catalogue extends TestServer {
  /** How many pages were requested. */
  pages: () => number;
  /** Called before the response with a page, counted from 1. */
  beforePage: (page: number) => void | Promise<void>;
}

/** A server that has these animals, in this order. */
export async function startCatalogue(pets: readonly Animal[]): Promise<Catalogue> {
  const server = await startServer();
  const { store } = server;
  await store.importPets(pets);
  const listPets = store.listPets.bind(store);
  let pages = 0;
  const catalogue: Catalogue = { ...server, pages: () => pages, beforePage() {} };
  store.listPets = async (query) => {
    await catalogue.beforePage(++pages);
    return await listPets(query);
  };
  return catalogue;
}

/** The lines of NDJSON, parsed. */
export function parseLines(text: string): unknown[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}
