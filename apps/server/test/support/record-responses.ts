import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { expectDocumented } from "@petstore/test-servers/documented-responses";
import { takeResponse } from "./raw-response.ts";

/**
 * A response as a server wrote it. The request is absent if the response is to bytes that Node has
 * not read as a request.
 */
interface Recorded {
  request: Pick<IncomingMessage, "method" | "url"> | undefined;
  /** A character for each byte. */
  written: string;
}

/**
 * Records every response on the connections of the server on a port, whichever code writes it:
 * Express, Node, or the service by hand where there is no request.
 */
export function recordResponses(port: number): { expectAllDocumented(): void } {
  const responses: Recorded[] = [];
  /** By the client's port: requests have a connection of ours in place of the socket. */
  const unanswered = new Map<number | undefined, Recorded["request"][]>();

  function recordConnection(message: unknown): void {
    const { socket } = message as { socket: Socket };
    if (socket.localPort !== port) return;
    const requests: Recorded["request"][] = [];
    unanswered.set(socket.remotePort, requests);
    let response: Recorded | undefined;
    const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
    socket.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const written = Buffer.from(chunk as string, rest[0] as BufferEncoding).toString("latin1");
      const [, status] = /^HTTP\/1\.1 (\d)/.exec(written) ?? [];
      if (status !== undefined && status !== "1") {
        response = { request: requests.shift(), written: "" };
        responses.push(response);
      }
      if (status !== "1" && response) response.written += written;
      return write(chunk, ...rest);
    };
  }

  function recordRequest(message: unknown): void {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    // Of another server, such as a proxy before ours. Its client may have the same port as ours.
    if (socket.localPort !== undefined && socket.localPort !== port) return;
    // Copied now: the service rewrites the target.
    unanswered.get(socket.remotePort)?.push({ method: request.method, url: request.url });
  }

  subscribe("net.server.socket", recordConnection);
  subscribe("http.server.request.start", recordRequest);
  return {
    /**
     * Asserts that each response matches the OpenAPI document. Call it when all connections are
     * closed.
     */
    expectAllDocumented() {
      unsubscribe("net.server.socket", recordConnection);
      unsubscribe("http.server.request.start", recordRequest);
      expectDocumented(responses.filter((each) => !isCutShort(each)).map(toExchange));
    },
  };
}

function toExchange({ request, written }: Recorded) {
  const { method = "", url: target = "" } = request ?? {};
  const [{ body, ...response }, rest] = takeResponse(written, method === "HEAD");
  if (rest !== "") throw new Error(`After a response, the server wrote: ${rest}`);
  return { method, target, ...response, body: Buffer.from(body, "latin1").toString() };
}

/** Whether the client did not take all of a large response, which is sent in pieces. */
function isCutShort({ written }: Recorded): boolean {
  const length = Number(/^content-length: (\d+)/im.exec(written)?.[1]);
  return length > 64 * 1024 && written.length < written.indexOf("\r\n\r\n") + 4 + length;
}
