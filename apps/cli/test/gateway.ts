import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { startRecorder, type Recorder } from "./other-servers.ts";

/** A request on its way to a server. */
export interface Passing {
  /** The first is 1. */
  number: number;
  /** The `Idempotency-Key`. */
  key: string;
  body: string;
  /** Forwards it, and returns the server's response. */
  forward: () => Promise<GatewayResponse>;
}

export interface GatewayResponse {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** The outcome for the client: a response, a reset connection, or nothing. */
export type Outcome = GatewayResponse | "reset" | "silence";

/** Has the key of the server that it forwards to. */
export interface Gateway extends Recorder {
  /** The requests so far. */
  passed: Passing[];
}

/** Stands between a client and a server, and delays or loses responses. */
export async function startGateway(
  server: { url: string; apiKey: string },
  treat: (passing: Passing) => Outcome | Promise<Outcome> = ({ forward }) => forward(),
): Promise<Gateway> {
  const passed: Passing[] = [];
  const recorder = await startRecorder((request, response) => void pass(request, response));

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A server that has stopped breaks the connection.
    const outcome = await receive(request)
      .then(treat)
      .catch(() => "reset" as const);
    if (outcome === "reset") request.socket.resetAndDestroy();
    else if (outcome !== "silence") response.writeHead(outcome.status, outcome.headers).end(outcome.body);
  }

  async function receive(request: IncomingMessage): Promise<Passing> {
    const { method = "", url = "", headers } = request;
    const number = passed.length + 1;
    const passing = { number, key: String(headers["idempotency-key"]), body: "", forward };
    passed.push(passing);
    passing.body = String(await buffer(request));

    async function forward(): Promise<GatewayResponse> {
      const sent = { authorization: headers.authorization ?? "", "content-type": "application/json" };
      const fetched = await fetch(new URL(url, server.url), {
        method,
        headers: { ...sent, "idempotency-key": passing.key },
        body: passing.body,
      });
      const { status, headers: received } = fetched;
      const known = ["content-type", "idempotent-replayed"].flatMap((name) => {
        const value = received.get(name);
        return value === null ? [] : [[name, value]];
      });
      return { status, headers: Object.fromEntries(known), body: await fetched.text() };
    }
    return passing;
  }

  return { ...recorder, apiKey: server.apiKey, passed };
}

/** The response of a service that rejects a request. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): GatewayResponse {
  const body = JSON.stringify({ code, message: "This is a test.", status });
  return { status, headers: { "Content-Type": "application/json", ...headers }, body };
}
