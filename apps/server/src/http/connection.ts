import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/**
 * How many bytes Node's parser gets at once. It creates a request and a response for every head in a chunk before the first is served:
 * from 64 KB, thousands.
 */
const sliceBytes = 512;

/** How long a client may keep sending after its last response, and how many bytes. */
const lingerMs = 1_000;
const lingerBytes = 256 * 1024;

/**
 * A connection, between its socket and Node's HTTP server, which takes any Duplex. One request at a time: a request that arrives before
 * the response to the one before it is never served, and that response closes the connection (RFC 9112, 9.3.2).
 */
export class Connection extends Duplex {
  readonly #socket: Socket;
  /** The latest response, until it is sent and the request's body is read. */
  response: ServerResponse | undefined;
  /** When the last response was sent, or the connection was opened. */
  idleSince = performance.now();
  #bytesWhenIdle = 0;
  /** Whether the response in progress is the last one. */
  #isClosing = false;
  #isDropped = false;
  /** Whether the client has ended its side while a response is in progress. */
  #hasEnded = false;
  /** How many bytes may still arrive after the last response; `undefined` before it. */
  #lingerBytes: number | undefined;

  constructor(socket: Socket) {
    super({ allowHalfOpen: true, decodeStrings: false });
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("end", () => this.#receiveEnd());
    socket.on("timeout", () => this.emit("timeout"));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  /** Read by Node: the address of the client, and its own time limits. */
  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

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

  /** Takes the response to a request. Returns whether the request may be served. */
  begin(response: ServerResponse): boolean {
    if (this.isBusy || this.#isDropped || this.writableEnded) {
      this.#isDropped = true;
      this.closeAfterResponse();
      return false;
    }
    this.response = response;
    response.once("finish", () => this.#finish(response));
    return true;
  }

  #finish(response: ServerResponse): void {
    if (response.req.complete) this.response = undefined; // it may be large, and the connection idle for long
    this.idleSince = performance.now();
    this.#bytesWhenIdle = this.#socket.bytesRead;
    if (this.#hasEnded) this.push(null);
  }

  /** Makes the response in progress the last one. */
  closeAfterResponse(): void {
    const { response } = this;
    if (response === undefined || !this.isBusy || this.#isClosing) return;
    this.#isClosing = true;
    if (response.headersSent) response.once("finish", () => this.end());
    else response.setHeader("Connection", "close");
  }

  /** Frees the kernel's buffers for this client at once. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#lingerBytes !== undefined) return this.#ignore(chunk.length);
    let wantsMore = true;
    for (let start = 0; start < chunk.length && !this.#isDropped; start += sliceBytes) {
      wantsMore = this.push(chunk.subarray(start, start + sliceBytes));
    }
    if (!wantsMore || this.#isDropped) this.#socket.pause();
  }

  /** A client that has sent its request may end its side, and still wants the response. Node would end the connection. */
  #receiveEnd(): void {
    if (this.#lingerBytes !== undefined) this.destroy();
    else if (this.isBusy && this.response?.req.complete) this.#hasEnded = true;
    else this.push(null);
  }

  /** If bytes reach a closed socket, the kernel sends a reset, and the client loses the response (RFC 9112, 9.6). */
  #ignore(length: number): void {
    this.#lingerBytes = (this.#lingerBytes ?? 0) - length;
    if (this.#lingerBytes < 0) this.#socket.pause();
  }

  override _read(): void {
    if (this.#socket.isPaused() && !this.#isDropped) this.#socket.resume();
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _writev(
    chunks: { chunk: Buffer | string; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.cork();
    for (const [index, { chunk, encoding }] of chunks.entries()) {
      this.#socket.write(chunk, encoding, index === chunks.length - 1 ? done : undefined);
    }
    this.#socket.uncork();
  }

  /** Called after the last response. */
  override _final(done: () => void): void {
    this.#lingerBytes = lingerBytes;
    this.#socket.resume();
    this.#socket.end(() => {
      if (this.#hasEnded || this.readableEnded) this.destroy();
      else setTimeout(() => this.destroy(), lingerMs).unref();
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
