// What it costs our server to refuse.
import { issueKey } from "../apps/server/src/api-key.ts";
import { lasting, toRequest } from "./clients.ts";
import { measureCost, requestFor } from "./measure.ts";
import type { Server, Servers } from "./servers.ts";

/** So many clients at once ask for more than a server can give. */
const flood = 1_000;

/** Returns what measures a round: microseconds of CPU time, of a get and of each refusal. There may be none for overload. */
export async function prepareRefusals(servers: Servers, ours: Server) {
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

/** What is left of the CPU time when the responses are paid, for each request that was refused. */
async function costOfShedding(ours: Server, get: string, getCost: number, ms: number): Promise<number | undefined> {
  const { cpu, refused } = await measureCost(ours, get, { isOver: lasting(ms), count: flood });
  return refused === 0 ? undefined : (cpu - getCost) / (refused / (1 - refused));
}
