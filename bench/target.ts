// The serving process of overload.ts and cli-startup.ts. Its argument is the address of the database; it reports its port and an API key.
import { BlockList } from "node:net";
import { scopes } from "@petstore/contract";
import { hashSecret, issueKey } from "../apps/server/src/api-key.ts";
import { createApp } from "../apps/server/src/api/app.ts";
import { listen } from "../apps/server/src/http/listen.ts";
import { createLog, withoutWaiting } from "../apps/server/src/monitoring/log.ts";
import { createMetrics } from "../apps/server/src/monitoring/metrics.ts";
import { openStore } from "../apps/server/src/store/open.ts";

const animals = 1000;

const store = await openStore(process.argv[2] ?? "");
await store.importPets(
  Array.from({ length: animals }, (_, index) => ({
    name: `Animal ${index}`,
    categoryId: index % 7,
    status: "available",
  })),
);
const { key, secret } = issueKey({ name: "bench", kind: "test", scopes, createdAt: 0 });
await store.createKey(key, hashSecret(secret));

const log = createLog({ level: "info" }, withoutWaiting(process.stdout)); // a part of the price
const metrics = createMetrics(store);
const trustedProxies = new BlockList();
const app = createApp({ store, log, metrics, now: Date.now, corsOrigins: [], rateLimit: undefined, trustedProxies });
const { url } = await listen(app, { host: "127.0.0.1", port: 0, log, metrics });

process.on("disconnect", () => process.exit());
process.send?.({ port: Number(new URL(url).port), apiKey: secret });
