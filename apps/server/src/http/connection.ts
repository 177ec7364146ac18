import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/**
 * How many bytes Node parses at once. It creates a request and a response for every head in a chunk
 * before it serves the first: thousands for 64 KB.
 */
const sliceBytes = 512;

/** How long a client may keep sending after its last response, and how many bytes. */
const lingerMs = 1_000;
const lingerBytes = 256 * 1024;

interface Chunk {
  chunk: Buffer | string;
  encoding: BufferEncoding;
}

/**
 * A connection between a socket and Node's HTTP server, with one request at a time. A request that
 * arrives before the previous response is sent is never served, and that response closes the
 * connection (RFC 9112, 9.3.2). Node itself starts all of them at once
 * (https://github.com/nodejs/node/issues/50850): once it does not, this class can go.
 */
export class Connection extends Duplex {
  readonly #socket: Socket;
  /**
   * The address of the client, still known when the connection is gone. An IPv4 address mapped to
   * IPv6 is an IPv4 address here.
   */
  readonly remoteAddress: string | undefined;
  /** The latest response, until it is sent and the request's body is read. */
  response: ServerResponse | undefined;
  /** When the last response was sent, or the connection was opened. */
  idleSince = performance.now();
  #bytesWhenIdle = 0;
  /** Whether the response in progress is the last one. */
  #isClosing = false;
  /** Whether a request arrived too early. Nothing after it is read. */
  #isDropped = false;
  /** Whether the client has ended its side while it waits for a response. */
  #hasEnded = false;
  /** How many bytes may still arrive after the last response; `undefined` before it. */
  #lingerBytes: number | undefined;

  constructor(socket: Socket) {
    super({ allowHalfOpen: true, decodeStrings: false });
    this.#socket = socket;
    this.remoteAddress = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, "");
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("end", () => this.#receiveEnd());
    socket.on("timeout", () => this.emit("timeout"));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  /** Called by Node: `timeout` and `keepAliveTimeout` of the server. */
  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms);
    return this;
  }

  /** Whether a response has not been sent yet. */
  get isBusy(): boolean {
    return this.response?.writableFinished === false;
  }

  /** Whether no request is in progress, not even a part of one. */
  get isIdle(): boolean {
    return !this.isBusy && this.#socket.bytesRead === this.#bytesWhenIdle;
  }

  /** Takes the response to a new request. Returns whether the request may be served. */
  begin(response: ServerResponse): boolean {
    this.#isDropped ||= this.isBusy || this.writableEnded;
    if (this.#isDropped) {
      this.closeAfterResponse();
      return false;
    }
    this.response = response;
    response.once("finish", () => {
      if (response.req.complete) this.#settle(response);
      // the response came before the body
      else response.req.once("end", () => this.#settle(response));
    });
    return true;
  }

  #settle(response: ServerResponse): void {
    if (this.response !== response) return; // the next request has begun
    this.response = undefined; // it may be large, and the connection idle for long
    this.idleSince = performance.now();
    this.#bytesWhenIdle = this.#socket.bytesRead;
    if (this.#hasEnded) this.push(null);
  }

  /** Makes the response in progress the last one. */
  closeAfterResponse(): void {
    if (!this.isBusy || this.#isClosing) return;
    this.#isClosing = true;
    if (this.response?.headersSent) this.response.once("finish", () => this.end());
    else this.response?.setHeader("Connection", "close");
  }

  /** Frees the kernel's buffers for this client at once. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#lingerBytes !== undefined) {
      this.#lingerBytes -= chunk.length;
      if (this.#lingerBytes < 0) this.#socket.pause();
      return;
    }
    let isWanted = true;
    for (let start = 0; start < chunk.length && !this.#isDropped; start += sliceBytes) {
      isWanted = this.push(chunk.subarray(start, start + sliceBytes));
    }
    if (!isWanted || this.#isDropped) this.#socket.pause();
  }

  #receiveEnd(): void {
    if (this.#lingerBytes !== undefined) this.destroy();
    // Node would end the connection when the client ends its side, although it may still wait for
    // the response.
    else if (this.isBusy && this.response?.req.complete) this.#hasEnded = true;
    else this.push(null);
  }

  override _read(): void {
    if (this.#socket.isPaused() && !this.#isDropped) this.#socket.resume();
  }

  override _write(
    chunk: Chunk["chunk"],
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _writev(chunks: Chunk[], done: (error?: Error | null) => void): void {
    this.#socket.cork();
    const last = chunks.pop();
    for (const { chunk, encoding } of chunks) this.#socket.write(chunk, encoding);
    if (last) this.#socket.write(last.chunk, last.encoding, done);
    this.#socket.uncork();
  }

  /**
   * Ends after the last response, and ignores what still arrives: if bytes reach a closed socket,
   * the client loses the response (RFC 9112, 9.6).
   */
  override _final(done: () => void): void {
    this.#lingerBytes = lingerBytes;
    this.#socket.resume();
    this.#socket.end(() => {
      setTimeout(() => this.destroy(), this.#hasEnded || this.readableEnded ? 0 : lingerMs).unref();
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
