import type { RequestListener, Server } from "node:http";
import type { Admission } from "./admission.ts";
import { Connection, connectionOf } from "./connection.ts";

/** The most that is held for all clients together, in bytes: requests that wait, and large responses until they are read. */
const maxBytes = { waitingBytes: 2 * 1024 * 1024, largeBytes: 64 * 1024 * 1024 };

export interface ConnectionOptions {
  /** Responds to requests. */
  serve: RequestListener;
  /** The most connections at a time. */
  maxConnections: number;
  /** How long a client may take nothing of a response. */
  silenceMs: number;
  /** How often to look for such clients. */
  intervalMs: number;
  /** Rejects what is not HTTP/1, and closes the connection. */
  rejectVersion(connection: Connection): void;
  /** Refuses a whole request if there are too many, and tells whether it did. */
  refuse(connection: Connection, bytes: Buffer): boolean;
  admission: Admission;
  /** Called once when Node reads connections itself: then each response closes its connection. */
  onForeign(): void;
  /** Called when a connection was closed, or not accepted, because there were too many. */
  onExhausted(): void;
}

/** Every open connection, and what they may use together. */
export class Connections {
  isEnding = false;
  readonly options: ConnectionOptions;
  readonly #open = new Set<Connection>();
  /** All for which something is held, and some for which nothing is held any more. */
  readonly #holding = { waitingBytes: new Set<Connection>(), largeBytes: new Set<Connection>() };
  readonly #timer: NodeJS.Timeout;
  #hasWarned = false;

  constructor(server: Server, options: ConnectionOptions) {
    const { maxConnections, silenceMs, intervalMs } = options;
    this.options = options;
    server.on("request", (req, res) => connectionOf(req.socket)?.serve(req, res));
    server.maxConnections = maxConnections;
    server.on("connection", (socket) => {
      // Room for the next one. That this one has sent nothing yet is no reason to close it.
      if (this.#open.size + 1 === maxConnections && this.#closeLongestIdle()) options.onExhausted();
      const connection = new Connection(socket, this);
      if (!connection.isOurs && !this.#hasWarned) options.onForeign();
      this.#hasWarned ||= !connection.isOurs;
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
      this.limit("waitingBytes"); // which grow after they began to wait
    }, intervalMs);
  }

  /** To be called when a connection was not accepted. */
  makeRoom(): void {
    this.#closeLongestIdle();
    this.options.onExhausted();
  }

  #closeLongestIdle(): boolean {
    const idle = [...this.#open].filter(({ isResponseDue, isClosing }) => !isResponseDue && !isClosing);
    return longestInactive(idle)?.socket.destroy() !== undefined;
  }

  /** Ends connections that have made no progress for the longest, until what is held for the others is within the limit. */
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

  /** From now on the response to the last request that a connection has received closes it. */
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
