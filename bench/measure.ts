// The requests to every server, and their cost.
import { openClients } from "./clients.ts";
import type { ServerProcess } from "./server-process.ts";

const clientCount = 64;

const rex = { name: "Rex", categoryId: 3 };

/**
 * Requests by name, of the client with this number. All servers send equal responses, apart from
 * the id of a new animal.
 */
export const benchRequests = {
  list20: () => ["GET /v1/pets?limit=20"],
  list100: () => ["GET /v1/pets?limit=100"],
  get: () => ["GET /v1/pets/500"],
  create: () => ["POST /v1/pets", JSON.stringify(rex)],
  // Without keys, which the compared server does not have.
  create100: () => [
    "POST /v1/pet-batches",
    JSON.stringify({ pets: Array.from({ length: 100 }, () => rex) }),
  ],
  change: (client) => [`PATCH /v1/pets/${client + 1}`, JSON.stringify({ status: "sold" })],
} as const satisfies Readonly<Record<string, (client: number) => [line: string, body?: string]>>;

export type RequestName = keyof typeof benchRequests;

export interface Server extends Pick<ServerProcess, "port" | "cpuTime" | "memory"> {
  name: string;
  /** What it can answer. */
  requests: readonly RequestName[];
}

/** The bytes of a request, as text. */
function toRequest(
  apiKey: string,
  [line, body = ""]: readonly [line: string, body?: string],
): string {
  const length =
    body === ""
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  return [
    `${line} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${apiKey}`,
    ...length,
    "",
    body,
  ].join("\r\n");
}

export interface Cost {
  server: string;
  request: RequestName;
  /** Microseconds of CPU time per response. */
  cpu: number;
  /** Responses per second. */
  rate: number;
  /**
   * The share of requests rejected with 503. Their CPU time is included in the cost of the others.
   */
  rejected: number;
}

/** Sends requests as fast as possible. Every response must be a success, or 503 for overload. */
export async function measureCost(
  { name, port, cpuTime }: Server,
  request: RequestName,
  apiKey: string,
  forMs: number,
): Promise<Cost> {
  using clients = await openClients(
    port,
    (client) => toRequest(apiKey, benchRequests[request](client)),
    clientCount,
  );
  const start = performance.now();
  const before = cpuTime();
  const statuses = await clients.closedLoop(forMs);
  const used = cpuTime() - before;
  const seconds = (performance.now() - start) / 1000;
  const status = request === "create" ? 201 : 200;
  const wrong = statuses.find((each) => each !== status && each !== 503);
  if (wrong !== undefined) throw new Error(`${name}: ${wrong}, not ${status}, to ${request}`);
  const served = statuses.filter((each) => each === status).length;
  const rejected = 1 - served / statuses.length;
  return { server: name, request, cpu: used / served, rate: served / seconds, rejected };
}

/** Compares status and body of the servers' responses, byte for byte. @throws if two differ */
export async function checkResponses(servers: readonly Server[], apiKey: string): Promise<void> {
  for (const [request, lineAndBody] of Object.entries(benchRequests)) {
    const [line, body] = lineAndBody(0);
    const [method = "", path = ""] = line.split(" ");
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      ...(body && { "Content-Type": "application/json" }),
    };
    const asked = servers.filter(({ requests }) => requests.includes(request as RequestName));
    const responses = await Promise.all(
      asked.map(async ({ name, port }) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers,
          ...(body && { body }),
        });
        const text = `${response.status} ${await response.text()}`;
        return { name, text: method === "POST" ? text.replaceAll(/"id":\d+/g, '"id":…') : text };
      }),
    );
    const [first, ...others] = responses;
    const other = others.find(({ text }) => text !== first?.text);
    if (other)
      throw new Error(
        `${line} differs:\n${first?.name}: ${first?.text}\n${other.name}: ${other.text}`,
      );
  }
}
