import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Admission } from "./admission.ts";
import { readFraming } from "./framing.ts";

/** How many requests a client may pipeline. The response to the last one closes the connection. */
const maxPipelined = 100;

/** How long a client may keep sending after its last response, and how many bytes. */
const lingerMs = 1_000;
const lingerBytes = 256 * 1024;

/** A large response is sent in pieces of this size. Each piece that the kernel accepts shows that the client reads. */
const pieceBytes = 64 * 1024;

const endOfHead = Buffer.from("\r\n\r\n");
const carriageReturn = 13;
const lineFeed = 10;

/** The state and options that all connections share. */
interface Connections {
  readonly isEnding: boolean;
  readonly options: {
    /** Responds to requests. */
    serve: RequestListener;
    /** Rejects a request that is not HTTP/1, and closes the connection. */
    rejectVersion(connection: Connection): void;
    /** Rejects a complete request if there are too many. Returns whether it did. */
    refuse(connection: Connection, bytes: Buffer): boolean;
    admission: Admission;
  };
  /** Call when a connection holds more bytes than before. */
  limit(kind: "waitingBytes" | "largeBytes", connection: Connection): void;
}

const connections = new WeakMap<Socket, Connection>();

export function connectionOf(socket: Socket): Connection | undefined {
  return connections.get(socket);
}

/**
 * One connection. Node's parser gets the bytes of one request at a time, and the next request after the response is sent. Given
 * a whole packet, it would parse every request in it and drop the bytes after a request with `Upgrade`.
 */
export class Connection {
  readonly socket: Socket;
  /** The response to the latest request, until the response is sent and the request's body is read. */
  response: ServerResponse | undefined;
  /** Whether the response has not been sent yet. */
  isResponseDue = false;
  /** When the connection last made progress. */
  activeAt = performance.now();
  /** The size of a large response, until the client has read it. */
  largeBytes = 0;
  isClosing = false;
  readonly #all: Connections;
  readonly #parse: ((bytes: Buffer) => void) | undefined;
  /** How many bytes of the request's body are missing; `Infinity` if it is chunked. */
  #bodyBytes = 0;
  /** The end of the request line that is being read; `undefined` once the line is complete. */
  #line: string | undefined = "";
  #isHeadBegun = false;
  /** How many bytes arrived together with the head of the request, after it. */
  #bytesAfterHead = 0;
  #pipelined = 0;
  #ignoredBytes = 0;
  #isFlushed = false;
  #isWaiting = false;
  /** Whether Node's parser has read a request. Until then it would close the connection, unaware of any request. */
  #isUsed = false;

  constructor(socket: Socket, all: Connections) {
    this.socket = socket;
    this.#all = all;
    const [parse] = socket.listeners("data") as ((bytes: Buffer) => void)[];
    this.#parse = parse;
    if (parse) {
      socket.off("data", parse);
      socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    }
    socket.destroySoon = () => this.close(); // Node calls this after the last response
    connections.set(socket, this);
  }

  /** Whether we feed Node's parser. That is undocumented: a future Node may read the socket itself. */
  get feedsParser(): boolean {
    return this.#parse !== undefined;
  }

  /** How many bytes wait in the socket for the response in progress: at most the rest of a chunk of 64 KB, and one more. */
  get waitingBytes(): number {
    return this.#isWaiting ? this.socket.readableLength : 0;
  }

  /** Whether the body of a request is being read. */
  get isReadingBody(): boolean {
    return this.response?.req.complete === false;
  }

  /** Whether no request and no response is in progress. */
  get isIdle(): boolean {
    return !this.isResponseDue && !this.isReadingBody && !this.#isHeadBegun;
  }

  #receive(chunk: Buffer): void {
    if (this.#canRefuse && this.#all.options.refuse(this, chunk)) return;
    for (let rest = chunk; rest.length > 0;) {
      if (this.isClosing) return this.#ignore(rest.length);
      if (this.isResponseDue && !this.isReadingBody) return this.#keepForLater(rest);
      const end = this.#endOfPart(rest);
      const part = rest.subarray(0, end);
      rest = rest.subarray(end);
      this.#bytesAfterHead = rest.length;
      this.activeAt = performance.now();
      if (!this.isReadingBody && !this.#isHttp(part)) this.#all.options.rejectVersion(this);
      else this.#parse?.(part);
      this.#forget();
    }
  }

  /** Whether the next bytes start a new request while nothing else is in progress, so that it can be rejected unparsed. */
  get #canRefuse(): boolean {
    const isQuiet = this.socket.readableLength === 0 && this.socket.writableLength === 0;
    return this.#isUsed && this.isIdle && isQuiet && !this.isClosing;
  }

  /** Where to cut so that a part never crosses the end of a request. */
  #endOfPart(bytes: Buffer): number {
    if (this.isReadingBody && this.#bodyBytes < Infinity) {
      const length = Math.min(this.#bodyBytes, bytes.length);
      this.#bodyBytes -= length;
      return length;
    }
    // A head ends with an empty line, and so does a chunked body. The line may have begun in the previous part.
    // Node also skips a carriage return before a request.
    if (bytes[0] === lineFeed) return 1;
    if (bytes[0] === carriageReturn) return bytes[1] === lineFeed ? 2 : 1;
    const end = bytes.indexOf(endOfHead);
    return end === -1 ? bytes.length : end + endOfHead.length;
  }

  /** Whether the request line, as read so far, may be HTTP/1. Node also accepts RTSP and ICE without reporting it. */
  #isHttp(part: Buffer): boolean {
    if (this.#line === undefined) return true;
    if (this.#line === "" && (part[0] === carriageReturn || part[0] === lineFeed)) return true; // an empty line before the request
    const end = part.indexOf(carriageReturn);
    const read = end === -1 ? part.length : end;
    this.#isHeadBegun = true;
    this.#line = (this.#line + part.toString("latin1", Math.max(0, read - 8), read)).slice(-8);
    if (end === -1) return true;
    const isHttp = /^HTTP\/1\.[01]$/.test(this.#line);
    this.#line = undefined;
    return isHttp;
  }

  /** Serves a request whose head has been parsed. */
  serve(req: IncomingMessage, response: ServerResponse): void {
    if (!this.feedsParser && (this.response || this.isClosing)) return; // pipelined, or after the last response
    req.framing = readFraming(req);
    req.isSurplus = !this.#all.options.admission.take();
    this.#isUsed = true;
    this.response = response;
    this.isResponseDue = true;
    this.#bodyBytes = req.framing.bodyBytes;
    this.#line = "";
    this.#isHeadBegun = false;
    this.#pipelined++;
    const isLast = !this.feedsParser || (this.#all.isEnding && this.#bytesAfterHead <= this.#bodyBytes);
    // Bytes of another protocol after an upgrade are not requests.
    if (isLast || this.#pipelined === maxPipelined || req.headers.upgrade !== undefined) {
      response.setHeader("Connection", "close");
    }
    response.once("finish", () => this.#finish());
    this.#all.options.serve(req, response);
  }

  /** Holds back all that follows a request that was not parsed until {@link sendRefusal}. Calls `send` if the client ends first. */
  holdRefusal(send: () => void): void {
    this.isResponseDue = true;
    this.socket.prependOnceListener("end", send); // Node ends a connection without known requests
  }

  /** Whether the next response is the last one. */
  get isEnding(): boolean {
    return this.#all.isEnding && this.socket.readableLength === 0;
  }

  /** Sends the response to a request that was not parsed. */
  sendRefusal(text: string): void {
    const isLast = this.isEnding;
    this.socket.write(text, "latin1");
    this.#finish();
    if (isLast) this.close();
  }

  /** Releases a finished request: it may be large, and its connection may stay idle for long. */
  #forget(): void {
    if (!this.isResponseDue && !this.isReadingBody) this.response = undefined;
  }

  #finish(): void {
    this.isResponseDue = false;
    this.#forget();
    this.activeAt = performance.now();
    if (this.isClosing) return;
    this.largeBytes = 0;
    this.#isWaiting = false;
    if (this.socket.readableLength === 0) this.#pipelined = 0;
    if (this.socket.isPaused()) this.socket.resume();
  }

  /** Leaves bytes in the socket, which then reads at most one more chunk. */
  #keepForLater(bytes: Buffer): void {
    this.socket.pause();
    this.socket.unshift(bytes);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#all.limit("waitingBytes", this);
  }

  /** Makes the response in progress the last one, unless another request has arrived. */
  end(): void {
    const { response, socket } = this;
    if (response?.headersSent === false && socket.readableLength === 0) response.setHeader("Connection", "close");
  }

  /** Sends a large body as fast as the client reads it. */
  sendLarge(response: ServerResponse, content: Buffer): void {
    this.activeAt = performance.now();
    this.largeBytes = content.length;
    this.#all.limit("largeBytes", this);
    let sent = 0;
    const sendMore = (): void => {
      this.activeAt = performance.now();
      while (sent < content.length) {
        const piece = content.subarray(sent, sent + pieceBytes);
        sent += piece.length;
        if (!response.write(piece)) return;
      }
      response.off("drain", sendMore).end();
    };
    response.on("drain", sendMore);
    sendMore();
  }

  /**
   * Closes after everything written is sent, so that a client that is still sending gets its response. If bytes reach a closed
   * socket, the kernel sends a reset, and the client loses everything that it has not read (RFC 9112, 9.6).
   */
  close(): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.#isWaiting = false;
    this.activeAt = performance.now();
    this.socket.resume();
    // Waits for the client to end: only then was a large response read, and Node's fetch fails if the server ends first.
    if (this.largeBytes > 0 && this.response?.shouldKeepAlive === true) return;
    this.socket.end(() => {
      this.#isFlushed = true;
      this.activeAt = performance.now();
    });
  }

  #ignore(length: number): void {
    this.#ignoredBytes += length;
    if (this.#ignoredBytes > lingerBytes) this.socket.pause();
  }

  /** Ends the connection of a client that stopped reading. */
  endIfStalled(now: number, silenceMs: number): void {
    if (this.isResponseDue && this.socket.writableLength === 0) this.activeAt = now; // the client waits for us
    const ms = now - this.activeAt;
    if (this.#isFlushed && this.largeBytes === 0) {
      if (ms >= lingerMs) this.socket.destroy();
    } else if (ms >= silenceMs && (this.isClosing || this.isResponseDue)) this.reset();
  }

  /** Frees the kernel's buffers for this client at once. */
  reset(): void {
    const { socket } = this;
    // The kernel cannot reset a connection while it is ending.
    if (socket.writableEnded && socket.writableLength === 0 && !socket.writableFinished) socket.destroy();
    else socket.resetAndDestroy();
  }
}
