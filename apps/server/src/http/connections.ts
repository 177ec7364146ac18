import type { RequestListener, Server } from "node:http";
import type { Admission } from "./admission.ts";
import { Connection, connectionOf } from "./connection.ts";

/** The most bytes held for all clients together: waiting requests, and large responses until they are read. */
const maxBytes = { waitingBytes: 2 * 1024 * 1024, largeBytes: 64 * 1024 * 1024 };

export interface ConnectionOptions {
  /** Responds to requests. */
  serve: RequestListener;
  /** The most open connections. */
  maxConnections: number;
  /** How long a client may leave a response unread. */
  silenceMs: number;
  /** How often to check for such clients. */
  intervalMs: number;
  /** Rejects a request that is not HTTP/1, and closes the connection. */
  rejectVersion(connection: Connection): void;
  /** Rejects a complete request if there are too many. Returns whether it did. */
  refuse(connection: Connection, bytes: Buffer): boolean;
  admission: Admission;
  /** Called once if Node reads connections itself: then each response closes its connection. */
  onUnfedParser(): void;
  /** Called when a connection is closed or not accepted because there are too many. */
  onExhausted(): void;
}

/** Every open connection, and their shared limits. */
export class Connections {
  isEnding = false;
  readonly options: ConnectionOptions;
  readonly #open = new Set<Connection>();
  /** Every connection that holds bytes, and some that no longer do. */
  readonly #holding = { waitingBytes: new Set<Connection>(), largeBytes: new Set<Connection>() };
  readonly #timer: NodeJS.Timeout;
  #hasWarned = false;

  constructor(server: Server, options: ConnectionOptions) {
    const { maxConnections, silenceMs, intervalMs } = options;
    this.options = options;
    server.on("request", (req, res) => connectionOf(req.socket)?.serve(req, res));
    server.maxConnections = maxConnections;
    server.on("connection", (socket) => {
      // Makes room for the next connection. This one is not closed: it has had no time to send anything.
      if (this.#open.size + 1 === maxConnections && this.#closeLongestIdle()) options.onExhausted();
      const connection = new Connection(socket, this);
      if (!connection.feedsParser && !this.#hasWarned) options.onUnfedParser();
      this.#hasWarned ||= !connection.feedsParser;
      this.#open.add(connection);
      socket.once("close", () => {
        this.#open.delete(connection);
        for (const holding of Object.values(this.#holding)) holding.delete(connection);
      });
    });
    server.on("drop", () => this.makeRoom());
    this.#timer = setInterval(() => {
      const now = performance.now();
      for (const connection of this.#open) connection.endIfStalled(now, silenceMs);
      this.limit("waitingBytes"); // they grow while they wait
    }, intervalMs);
  }

  /** Call when a connection was not accepted. */
  makeRoom(): void {
    this.#closeLongestIdle();
    this.options.onExhausted();
  }

  #closeLongestIdle(): boolean {
    const idle = [...this.#open].filter(({ isResponseDue, isClosing }) => !isResponseDue && !isClosing);
    return longestInactive(idle)?.socket.destroy() !== undefined;
  }

  /** Ends the connections that made no progress for longest, until the others are within the limit. */
  limit(kind: keyof typeof maxBytes, newest?: Connection): void {
    const holding = this.#holding[kind];
    if (newest) holding.add(newest);
    let bytes = 0;
    for (const connection of holding) {
      if (connection[kind] === 0) holding.delete(connection);
      bytes += connection[kind];
    }
    while (bytes > maxBytes[kind]) {
      const connection = longestInactive(holding);
      if (connection === undefined) return;
      bytes -= connection[kind];
      holding.delete(connection);
      connection.reset();
    }
  }

  /** From now on, each connection closes after the response to its last request. */
  end(): void {
    this.isEnding = true;
    for (const connection of this.#open) connection.end();
  }

  closeIdle(): void {
    for (const { isIdle, socket } of this.#open) if (isIdle) socket.destroy();
  }

  closeAll(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#open) socket.destroy();
  }
}

function longestInactive(connections: Iterable<Connection>): Connection | undefined {
  let longest: Connection | undefined;
  for (const connection of connections) {
    if (longest === undefined || connection.activeAt < longest.activeAt) longest = connection;
  }
  return longest;
}
