// The serving process of a benchmark. Its argument says what to serve; it reports its port and an API key, and, when asked, the
// CPU time that it has used.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { BlockList, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contract, parseInt64, scopes, type Pet } from "@petstore/contract";
import type { Store } from "@petstore/service";
import { createExpressEndpoints, initServer } from "@ts-rest/express";
import express from "express";
import { hashSecret, issueKey } from "../apps/server/src/api-key.ts";
import { createApp } from "../apps/server/src/api/app.ts";
import { listen } from "../apps/server/src/http/listen.ts";
import { createLog, withoutWaiting } from "../apps/server/src/monitoring/log.ts";
import { createMetrics } from "../apps/server/src/monitoring/metrics.ts";
import { openStore } from "../apps/server/src/store/open.ts";

const animals = 1000;

const target = process.argv[2];
const directory = mkdtempSync(join(tmpdir(), "petstore-bench-"));
const databaseUrl = target?.startsWith("postgres:")
  ? target
  : target === "sqlite"
    ? `sqlite:${join(directory, "petstore.db")}`
    : "memory:";
const store = await openStore(databaseUrl);
await store.importPets(
  Array.from({ length: animals }, (_, index) => ({
    name: `Animal ${index}`,
    categoryId: index % 7,
    status: "available",
  })),
);
const { key, secret } = issueKey({ name: "bench", kind: "test", scopes, createdAt: 0 });
await store.createKey(key, hashSecret(secret));

process.on("message", () => process.send?.(process.cpuUsage()));
process.on("disconnect", () => {
  rmSync(directory, { recursive: true });
  process.exit();
});
process.send?.({ port: target === "plain" ? await servePlain(store) : await servePetstore(store), apiKey: secret });

async function servePetstore(served: Store): Promise<number> {
  const log = createLog({ level: "info" }, withoutWaiting(process.stdout)); // a part of the price
  const metrics = createMetrics(served);
  const app = createApp({
    store: served,
    log,
    metrics,
    now: Date.now,
    corsOrigins: [],
    rateLimit: undefined,
    trustedProxies: new BlockList(),
  });
  const { url } = await listen(app, { host: "127.0.0.1", port: 0, log, metrics });
  return Number(new URL(url).port);
}

/** Express and ts-rest as their manuals show them. */
async function servePlain(served: Store): Promise<number> {
  const app = express();
  app.use(express.json());
  const { listPets, createPet, getPet } = contract; // what is measured
  const measured = { listPets, createPet, getPet };
  const handlers = initServer().router(measured, {
    listPets: async ({ query }) => ({ status: 200, body: await served.listPets(query) }),
    createPet: async ({ body }) => ({ status: 201, body: petOf(await served.createPet(body)) }),
    getPet: async ({ params }) => ({
      status: 200,
      body: petOf({ pet: await served.getPet(parseInt64(params.petId) ?? 0) }),
    }),
  });
  const operations = express.Router();
  createExpressEndpoints(measured, handlers, operations, { logInitialization: false });
  app.use("/v1", operations);
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function petOf(found: { pet?: Pet | undefined } | { outcome: string }): Pet {
  if ("pet" in found && found.pet !== undefined) return found.pet;
  throw new Error("The benchmark asks for an animal that is there");
}
