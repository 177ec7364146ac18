import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { isIP, type AddressInfo } from "node:net";
import { apiVersion } from "@petstore/contract";
import { jsonType, safeHeaders } from "@petstore/service";
import { isLoopback } from "../config.ts";
import { toUrl, type ListenOptions } from "../http/listen.ts";

/** What the admin port tells of the service. */
export interface AdminSource {
  /** Why no request should be sent here now, or `undefined`. */
  notReady(): Promise<string | undefined>;
  /** In the text format of Prometheus. */
  metrics(): Promise<string>;
}

export type AdminServer = Awaited<ReturnType<typeof listenForAdministration>>;

type AdminOptions = Pick<ListenOptions, "host" | "port"> & { nodeVersion: string };

interface Answer {
  status: number;
  headers?: OutgoingHttpHeaders;
  body: string;
}

/** A probe is small, and few send them. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
};

/** Serves what operators and machines ask about the service, on a port of its own, to everybody who can reach it. */
export async function listenForAdministration({ host, port, nodeVersion }: AdminOptions) {
  let source: AdminSource | undefined;

  const pages: Record<string, () => Promise<Answer> | Answer> = {
    // Whoever answers is alive: a database that is away must not get the process restarted.
    "/livez": () => state(),
    "/startupz": () => state(source === undefined ? "starting" : undefined),
    "/readyz": async () => state(source === undefined ? "starting" : await source.notReady()),
    "/metrics": async () => ({
      status: 200,
      headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" },
      body: (await source?.metrics()) ?? "",
    }),
    "/version": () => json(200, { name: "petstore-server", version: apiVersion, node: nodeVersion }),
  };

  async function answer({ method = "", url = "", headers }: IncomingMessage): Promise<Answer> {
    // A page that a browser on this machine shows could let its own name lead here, and then read the metrics (DNS rebinding).
    if (isLoopback(host) && !isLocal(headers.host)) return json(421, { status: "ask for localhost or an IP address" });
    const page = pages[url.split("?", 1)[0] ?? ""];
    if (page === undefined) return json(404, { status: "not found", pages: Object.keys(pages) });
    if (method === "GET" || method === "HEAD") return await page();
    return { ...json(405, { status: "method not allowed" }), headers: { Allow: "GET, HEAD" } };
  }

  const server = createServer(limits, async (req, res) => {
    const { status, headers, body } = await answer(req).catch(({ message }: Error) => json(500, { status: message }));
    const length = Buffer.byteLength(body);
    res.writeHead(status, { "Content-Type": jsonType, "Content-Length": length, ...safeHeaders, ...headers });
    res.end(req.method === "HEAD" ? undefined : body);
  });
  server.maxConnections = 256;
  server.listen({ host, port });
  await once(server, "listening");
  return {
    url: toUrl(server.address() as AddressInfo),
    /** Tells `/startupz` and `/readyz` that the service takes requests. */
    serviceStarted: (started: AdminSource): void => void (source = started),
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Whether a Host header names an address, or this machine. Without one it comes from no browser. */
function isLocal(hostHeader = "localhost"): boolean {
  const name = hostHeader.replace(/:\d+$/, "");
  return name === "localhost" || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function state(problem?: string): Answer {
  return problem === undefined ? json(200, { status: "ok" }) : json(503, { status: problem });
}

function json(status: number, body: object): Answer {
  return { status, body: `${JSON.stringify(body)}\n` };
}
