// The cost of rejected requests for our server.
import { issueKey } from "../apps/server/src/api-key.ts";
import { lasting, toRequest } from "./clients.ts";
import { measureCost, requestFor } from "./measure.ts";
import type { Server, Servers } from "./servers.ts";

/** Enough clients to overload a server. */
const flood = 1_000;

/** Returns a function that measures the CPU time of a get and of each rejection, in microseconds. Overload may not occur. */
export async function prepareRejections(servers: Servers, ours: Server) {
  const { apiKey } = servers;
  const limited = await servers.start("ours", { PETSTORE_RATE_LIMIT: "1/3600s" });
  const { secret: unknownKey } = issueKey({ name: "", kind: "live", scopes: [], createdAt: 0 });
  const get = requestFor("get", apiKey);

  return async (ms: number) => {
    const cost = async (server: Server, request: string, status: number) =>
      (await measureCost(server, request, { isOver: lasting(ms), status })).cpu;
    const served = await cost(ours, get, 200);
    return {
      get: served,
      "401, unknown key": await cost(ours, toRequest("GET /v1/pets/50000", unknownKey), 401),
      "400, bad limit": await cost(ours, toRequest("GET /v1/pets?limit=0", apiKey), 400),
      "429, rate limit": await cost(limited, get, 429),
      "503, overload": await costOfShedding(ours, get, served, ms),
    };
  };
}

/** The CPU time per rejected request, after subtracting the cost of the responses. */
async function costOfShedding(ours: Server, get: string, getCost: number, ms: number): Promise<number | undefined> {
  const { cpu, rejected } = await measureCost(ours, get, { isOver: lasting(ms), count: flood });
  return rejected === 0 ? undefined : (cpu - getCost) / (rejected / (1 - rejected));
}
