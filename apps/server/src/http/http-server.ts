import { Server } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Connection } from "./connection.ts";
import type { FramedRequest } from "./framing.ts";
import type { PendingResponse } from "./respond.ts";

/**
 * Node's HTTP server, with a {@link Connection} around each socket: Node documents that
 * `connection` takes any Duplex.
 */
export class HttpServer extends Server<typeof FramedRequest, typeof PendingResponse> {
  override emit(event: string, ...args: unknown[]): boolean {
    if (event === "connection" && args[0] instanceof Socket) args[0] = new Connection(args[0]);
    return super.emit(event, ...args);
  }
}

/** The connection that {@link HttpServer} put around a socket. Node's types call it a socket. */
export function connectionOf(stream: Duplex): Connection {
  return stream as Connection;
}
