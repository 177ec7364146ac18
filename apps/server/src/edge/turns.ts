import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { closeGently, ignoreInput } from "./closing.ts";

/** How many requests of a connection may be due at a time. Behind them it closes. */
const maxTurns = 100;

/** What is due on a connection, in the order in which it was asked for. The first is under way. */
interface Line {
  turns: (() => void)[];
  /** The answer to the request that was read last. */
  last?: ServerResponse;
}

/**
 * Answers the requests of a connection one after the other. Node starts each as soon as it has read its head: then one behind an
 * answer that closes the connection would take effect, and nobody would be told (RFC 9112, 9.6).
 */
export class Turns {
  /** Every open connection. */
  readonly #lines = new Map<Socket, Line>();
  #isEnding = false;

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#lines.set(socket, { turns: [] });
      socket.once("close", () => this.#lines.delete(socket));
    });
  }

  get sockets(): Iterable<Socket> {
    return this.#lines.keys();
  }

  /** Whether no connection has an answer to wait for, or one that is still being sent. */
  get areDone(): boolean {
    return [...this.#lines.values()].every(({ turns }) => turns.length === 0);
  }

  /** From now on the answer to the request of a connection that was read last closes it. */
  end(): void {
    this.#isEnding = true;
    for (const { last } of this.#lines.values()) if (last?.headersSent === false) last.setHeader("Connection", "close");
  }

  /** The same listener, called for a request when all before it on its connection are answered. */
  inTurn(listener: RequestListener): RequestListener {
    return (req, res) => {
      const { socket } = req;
      this.#lineOf(socket).last = res;
      if (this.#isEnding) res.setHeader("Connection", "close");
      this.#enter(socket, () => {
        res.once("finish", () => this.#leave(socket));
        listener(req, res);
      });
    };
  }

  /**
   * Calls `refuse`, which closes the connection, once all whole requests before it are answered. A last request that has not
   * arrived whole never will: the refusal gets its response, and is the answer unless it has one.
   */
  refuseInTurn(socket: Socket, refuse: (unfinished?: ServerResponse) => void): void {
    const { turns, last } = this.#lineOf(socket);
    if (last === undefined || last.req.complete) this.#enter(socket, refuse);
    else if (turns.length > 1) turns[turns.length - 1] = () => refuse(last);
    else if (last.headersSent) closeGently(socket);
    else refuse(last);
  }

  #enter(socket: Socket, turn: () => void): void {
    const { turns } = this.#lineOf(socket);
    if (!socket.writable || turns.length > maxTurns) return;
    if (turns.length === maxTurns) {
      ignoreInput(socket);
      turns.push(() => closeGently(socket));
    } else if (turns.push(turn) === 1) turn();
  }

  #leave(socket: Socket): void {
    const { turns } = this.#lineOf(socket);
    turns.shift();
    if (socket.writable) turns[0]?.();
  }

  #lineOf(socket: Socket): Line {
    return this.#lines.get(socket) ?? { turns: [] }; // closed already
  }
}
