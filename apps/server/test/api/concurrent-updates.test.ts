import type { Pet } from "@petstore/contract";
import type { Store } from "@petstore/service";
import { describe, expect } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { expectError } from "../support/expect-response.ts";
import { test as base } from "../support/petstore.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { startServer, type TestResponse, type TestServer } from "../support/start-server.ts";
import { openPostgresStore, openSqliteStore } from "../support/stores.ts";

const bella = { id: 1, name: "Bella", categoryId: 7, status: "available" } as const;

function update(server: TestServer, path: string, body: object): Promise<TestResponse> {
  return server.call(`/pets/${path}`, { method: "PATCH", body });
}

const stores = ["memory", "SQLite", "PostgreSQL"] as const;

describe.for(stores)("on %s", (kind) => {
  const test = base.extend("server", async ({ petstore }, { onCleanup }) => {
    const stack = new AsyncDisposableStack();
    onCleanup(() => stack.disposeAsync());
    async function openOnPostgres(): Promise<Store> {
      const { url } = stack.use(await createDatabase());
      return await openPostgresStore(url);
    }
    const open: Record<typeof kind, () => Store | Promise<Store>> = {
      memory: createMemoryStore,
      SQLite: () => openSqliteStore(petstore.path("petstore.db")),
      PostgreSQL: openOnPostgres,
    };
    return stack.use(await startServer({ store: await open[kind]() }));
  });

  test("200 for one and 409 status_changed for nineteen who reserve an animal at once", async ({ server }) => {
    await server.store.importPets([bella]);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        update(server, "1?ifStatus=available", { status: "pending", categoryId: index }),
      ),
    );
    const [winner, ...others] = responses.toSorted((left, right) => left.status - right.status);
    expect((await server.call("/pets")).body).toStrictEqual([winner?.body]);
    expect(winner?.status).toBe(200);
    for (const other of others) expectError(other, "status_changed", "The animal is pending now. Nothing was changed.");
  });

  test("200 for paging that returns an animal at most once, however often it changes meanwhile", async ({ server }) => {
    await server.store.importPets(Array.from({ length: 9 }, (_, index) => ({ ...bella, id: index + 1 })));
    const seen: unknown[] = [];
    for (let path: string | undefined = "/pets?status=available&limit=2"; path !== undefined;) {
      const page: TestResponse = await server.call(path);
      seen.push(...(page.body as Pet[]).map(({ id }) => id));
      // The last animal of the page leaves the list, and so does the one after it; those that left before come back.
      const last = Number(seen.at(-1));
      for (const id of [last, last + 1]) if (id <= 9) await update(server, `${id}`, { status: "sold" });
      for (let id = 1; id < last; id++) await update(server, `${id}`, { status: "available", name: `seen ${last}` });
      const [, next] = /^<(.*)>/.exec(page.headers.get("Link") ?? "") ?? [];
      path = next === undefined ? undefined : `/pets${next}`;
    }
    expect(seen).toStrictEqual([1, 2, 4, 5, 7, 8]);
  });
});
