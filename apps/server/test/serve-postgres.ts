import type { Store } from "@petstore/service";
import { serve, settings, type Serving } from "@petstore/test-kit/processes";
import { hashSecret, issueKey } from "../src/api-key.ts";
import { openStore } from "../src/store/open.ts";

/** A serving process with an admin port. */
export interface Administered extends Serving {
  /** The base address of the admin port, without a slash at the end. */
  adminUrl: string;
  /** Asks for a page of the admin port. */
  ask(page: string): Promise<{ status: number; text: string }>;
}

/** Starts `petstore-server serve` with an admin port on any free port. */
export async function serveAdministered(
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Administered> {
  const server = await serve(directory, { environment: { ...settings, PETSTORE_ADMIN_PORT: "0", ...environment } });
  const [, adminUrl = ""] = await server.printed(/"url":"([^"]+)","msg":"admin port open"/);
  return {
    ...server,
    adminUrl,
    async ask(page) {
      const response = await fetch(adminUrl + page, { headers: { Connection: "close" } });
      return { status: response.status, text: await response.text() };
    },
  };
}

/** Runs `work` on a database, beside the processes that serve it. */
export async function onStore<Result>(databaseUrl: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(databaseUrl, { poolSize: 1 });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Issues a key with every scope, and returns its secret. */
export async function issueKeyIn(databaseUrl: string): Promise<{ id: string; secret: string }> {
  const { key, secret } = issueKey({
    name: "test",
    kind: "test",
    scopes: ["read", "write", "orders"],
    createdAt: Date.now(),
  });
  await onStore(databaseUrl, (store) => store.createKey(key, hashSecret(secret)));
  return { id: key.id, secret };
}
