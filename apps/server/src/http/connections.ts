import type { RequestListener } from "node:http";
import type { Connection } from "./connection.ts";
import type { FramedRequest } from "./framing.ts";
import { connectionOf, type HttpServer } from "./http-server.ts";
import type { PendingResponse } from "./respond.ts";

export interface ConnectionOptions {
  serve: RequestListener<typeof FramedRequest, typeof PendingResponse>;
  /** Called when a connection is closed or not accepted because there are too many. */
  onExhausted(): void;
}

/** Every open connection. */
export class Connections {
  readonly #server: HttpServer;
  readonly #options: ConnectionOptions;
  readonly #open = new Set<Connection>();
  #isDraining = false;

  constructor(server: HttpServer, options: ConnectionOptions) {
    this.#server = server;
    this.#options = options;
    server.on("connection", (opened) => this.#add(connectionOf(opened)));
    server.on("drop", () => this.makeRoom());
    server.on("request", (req, res) => {
      if (!connectionOf(req.socket).begin(res)) return;
      // After a request with Upgrade, Node reads no other.
      if (this.#isDraining || req.headers.upgrade !== undefined)
        res.setHeader("Connection", "close");
      options.serve(req, res);
    });
    server.on("timeout", (silent) => {
      const connection = connectionOf(silent);
      if (!connection.isBusy) connection.destroy();
      // the client does not read its response
      else if (connection.response?.headersSent) connection.reset();
    });
  }

  #add(connection: Connection): void {
    // Makes room for the next connection. This one is not closed: it has had no time to send
    // anything.
    if (this.#open.size + 1 === this.#server.maxConnections) this.makeRoom();
    this.#open.add(connection);
    connection.once("close", () => this.#open.delete(connection));
  }

  /** Closes the connection that has been idle longest. */
  makeRoom(): void {
    let longest: Connection | undefined;
    for (const each of this.#open) {
      if (!each.isBusy && (longest === undefined || each.idleSince < longest.idleSince))
        longest = each;
    }
    longest?.destroy();
    this.#options.onExhausted();
  }

  /**
   * From now on, every response closes its connection. An idle one stays open: its client may just
   * be sending a request.
   */
  drain(): void {
    this.#isDraining = true;
  }

  /**
   * Accepts no more connections. Resolves when the last one is closed, at the latest after
   * `graceMs`.
   */
  async close(graceMs: number): Promise<void> {
    this.drain();
    for (const connection of this.#open) {
      if (connection.isIdle) connection.end();
      else connection.closeAfterResponse();
    }
    const deadline = setTimeout(() => {
      for (const connection of this.#open) connection.destroy();
    }, graceMs);
    await new Promise((resolve) => this.#server.close(resolve));
    clearTimeout(deadline);
  }
}
