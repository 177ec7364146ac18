import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { expectDocumented } from "@petstore/test-kit/documented-responses";
import { takeResponse, type RawResponse } from "./raw-response.ts";

export interface SentRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string;
}

/** A request as a server read it, and the response as it wrote it. */
export interface Recorded {
  request: SentRequest;
  response: RawResponse;
}

interface Connection {
  /** In the order of their responses. */
  requests: SentRequest[];
  /** Everything written so far, a character for each byte. */
  written: string;
  responses: number;
  /** The last part that was read. */
  received: string;
}

/**
 * Records everything that the server on a port reads from and writes to its connections, whichever code writes it: Express, Node, or the
 * service by hand where there is no request.
 */
export function recordResponses(port: number): { expectAllDocumented(): void } {
  const connections = new Map<number | undefined, Connection>();

  function recordConnection(message: unknown): void {
    const { socket } = message as { socket: Socket };
    if (socket.localPort !== port) return;
    const connection: Connection = { requests: [], written: "", responses: 0, received: "" };
    connections.set(socket.remotePort, connection);
    const push = socket.push.bind(socket);
    socket.push = (chunk: Buffer | null, ...rest) => {
      if (chunk !== null) connection.received = chunk.toString("latin1");
      return push(chunk, ...rest);
    };
    const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
    socket.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const text = toBytes(chunk, rest[0]).toString("latin1");
      connection.written += text;
      recordRefused(connection, text);
      return write(chunk, ...rest);
    };
  }

  /** Under overload the service responds to requests that Node has not parsed. */
  function recordRefused(connection: Connection, written: string): void {
    const [, status = "100"] = /^HTTP\/1\.1 (\d{3})/.exec(written) ?? [];
    if (status.startsWith("1")) return;
    connection.responses++;
    if (status !== "503" || connection.responses <= connection.requests.length) return;
    const [head = "", body = ""] = connection.received.split("\r\n\r\n");
    const [line = "", ...lines] = head.split("\r\n");
    const [method = "", target = ""] = line.split(" ");
    const headers = Object.fromEntries(lines.map((header) => header.toLowerCase().split(": ")) as [string, string][]);
    connection.requests.push({ method, target, headers, body });
  }

  function recordRequest(message: unknown): void {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    const connection = connections.get(socket.remotePort);
    if (connection) connection.requests.push(recordBody(request));
  }

  subscribe("net.server.socket", recordConnection);
  subscribe("http.server.request.start", recordRequest);
  return {
    /** Asserts that each response matches the OpenAPI document. Call it when all connections are closed. */
    expectAllDocumented() {
      unsubscribe("net.server.socket", recordConnection);
      unsubscribe("http.server.request.start", recordRequest);
      const recorded = [...connections.values()].flatMap(exchangesOn);
      expectDocumented(
        recorded.map(({ request: { method, target } = { method: "", target: "" }, response }) => ({
          method,
          target,
          ...response,
        })),
      );
    },
  };
}

/** Looks at a request now, before the service rewrites its target, and on at its body as it comes. */
function recordBody(request: IncomingMessage): SentRequest {
  const { method = "", url: target = "", headers } = request;
  const sent = { method, target, headers: { ...headers } as Record<string, string>, body: "" };
  const push = request.push.bind(request) as (...parameters: unknown[]) => boolean;
  request.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array && sent.body.length < maxBody) sent.body += Buffer.from(chunk).toString("latin1");
    return push(chunk, encoding);
  };
  return sent;
}

/** Far more than the service takes in. */
const maxBody = 64 * 1024;

function toBytes(chunk: string | Uint8Array, encoding: unknown): Buffer {
  if (typeof chunk !== "string") return Buffer.from(chunk);
  return Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
}

/** The request is absent if the response is to bytes that are not a request. */
type Exchange = Pick<Recorded, "response"> & { request: SentRequest | undefined };

function exchangesOn({ requests, written }: Connection): Exchange[] {
  const recorded: Exchange[] = [];
  for (let rest = written; rest !== "";) {
    // After the last request, there may be a response to bytes that are not a request.
    const request = requests[recorded.length];
    if (isCutShort(rest)) break;
    const [{ body, ...response }, following] = takeResponse(rest, request?.method === "HEAD");
    rest = following;
    if (response.status < 200) continue; // the final one is yet to come
    recorded.push({ request, response: { ...response, body: Buffer.from(body, "latin1").toString() } });
  }
  return recorded;
}

/** Whether a text is the beginning of a large response, which is sent in pieces for as long as the client takes them. */
function isCutShort(text: string): boolean {
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1]);
  return length > 64 * 1024 && text.length < text.indexOf("\r\n\r\n") + 4 + length;
}
