import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { isIP, type AddressInfo } from "node:net";
import { jsonType, safeHeaders } from "@petstore/service";
import { isLoopback } from "../http/client-address.ts";
import { toUrl, type ListenOptions } from "../http/listen.ts";
import { version } from "../version.ts";

/** The source of the admin port's reports. */
export interface AdminSource {
  /** Why the service is not ready for requests, or `undefined` if it is. */
  notReady(this: void): Promise<string | undefined>;
  /** The metrics in the text format of Prometheus. */
  metrics(this: void): Promise<string>;
}

export type AdminServer = Awaited<ReturnType<typeof listenForAdministration>>;

type AdminOptions = Pick<ListenOptions, "host" | "port"> & { nodeVersion: string };

interface AdminResponse {
  status: number;
  headers?: OutgoingHttpHeaders;
  body: string;
}

/** Strict limits, because probes are small and rare. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
};

/** Serves health, metrics and version on a separate port, to anyone who can reach it. */
export async function listenForAdministration({ host, port, nodeVersion }: AdminOptions) {
  let source: AdminSource | undefined;

  const pages: Record<string, () => Promise<AdminResponse> | AdminResponse> = {
    // Always healthy: an unavailable database must not cause a restart of the process.
    "/livez": () => state(),
    "/startupz": () => state(source === undefined ? "starting" : undefined),
    "/readyz": async () => state(source === undefined ? "starting" : await source.notReady()),
    "/metrics": async () => ({
      status: 200,
      headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" },
      body: (await source?.metrics()) ?? "",
    }),
    "/version": () => json(200, { name: "petstore-server", version, node: nodeVersion }),
  };

  async function respond({
    method = "",
    url = "",
    headers,
  }: IncomingMessage): Promise<AdminResponse> {
    // Prevents DNS rebinding: a web page in a local browser could point its own host name here and
    // read the metrics.
    if (isLoopback(host) && !isLocal(headers.host))
      return json(421, { status: "use localhost or an IP address as the host" });
    const page = pages[url.split("?", 1)[0] ?? ""];
    if (page === undefined) return json(404, { status: "not found", pages: Object.keys(pages) });
    if (method === "GET" || method === "HEAD") return await page();
    return { ...json(405, { status: "method not allowed" }), headers: { Allow: "GET, HEAD" } };
  }

  const server = createServer(limits, async (req, res) => {
    const { status, headers, body } = await respond(req).catch(({ message }: Error) =>
      json(500, { status: message }),
    );
    const length = Buffer.byteLength(body);
    const common = {
      "Content-Type": jsonType,
      "Content-Length": length,
      Connection: "close",
      ...safeHeaders,
    };
    res.writeHead(status, { ...common, ...headers });
    res.end(req.method === "HEAD" ? undefined : body);
  });
  server.maxConnections = 256;
  // Node rejects what follows on a connection. Otherwise it would start all requests of one packet
  // at once, thousands of them.
  server.maxRequestsPerSocket = 1;
  server.listen({ host, port });
  await once(server, "listening");
  return {
    url: toUrl(server.address() as AddressInfo),
    /** Call when the service accepts requests, for `/startupz` and `/readyz`. */
    serviceStarted(started: AdminSource): void {
      source = {
        notReady: shareInProgress(started.notReady),
        metrics: shareInProgress(started.metrics),
      };
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Callers that arrive while the work is in progress get its result, so that many cost no more than
 * one.
 */
function shareInProgress<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let inProgress: Promise<Result> | undefined;
  return () => (inProgress ??= work().finally(() => (inProgress = undefined)));
}

/**
 * Whether a Host header is an IP address or localhost. Requests without one do not come from a
 * browser.
 */
function isLocal(hostHeader = "localhost"): boolean {
  const name = hostHeader.replace(/:\d+$/, "");
  return name === "localhost" || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function state(problem?: string): AdminResponse {
  return problem === undefined ? json(200, { status: "ok" }) : json(503, { status: problem });
}

function json(status: number, body: object): AdminResponse {
  return { status, body: `${JSON.stringify(body)}\n` };
}
