import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Admission } from "./admission.ts";
import { readFraming } from "./framing.ts";

/** How many requests a client may send ahead of their responses. The last of these responses closes the connection. */
const maxPipelined = 100;

/** How long, and for how many bytes, a client may go on sending after its last response. */
const lingerMs = 1_000;
const lingerBytes = 256 * 1024;

/** The pieces in which a large response is sent: each one that the system takes shows that the client reads. */
const pieceBytes = 64 * 1024;

const endOfHead = Buffer.from("\r\n\r\n");
const carriageReturn = 13;
const lineFeed = 10;

/** What a connection shares with all others. */
interface Connections {
  readonly isEnding: boolean;
  readonly options: {
    /** Responds to requests. */
    serve: RequestListener;
    /** Rejects what is not HTTP/1, and closes the connection. */
    rejectVersion(connection: Connection): void;
    /** Refuses a whole request if there are too many, and tells whether it did. */
    refuse(connection: Connection, bytes: Buffer): boolean;
    admission: Admission;
  };
  /** To be called when what is held for a connection has grown. */
  limit(kind: "waitingBytes" | "largeBytes", connection: Connection): void;
}

const connections = new WeakMap<Socket, Connection>();

export function connectionOf(socket: Socket): Connection | undefined {
  return connections.get(socket);
}

/**
 * One connection. Node's parser gets the bytes of one request at a time, and those of the next one when the response is sent. Given
 * all of a packet it would parse every request in it, and drop what follows a request with `Upgrade`.
 */
export class Connection {
  readonly socket: Socket;
  /** The response to the request of which the head was read last, until it is sent and the body is read. */
  response: ServerResponse | undefined;
  /** Whether it is still to be sent. */
  isResponseDue = false;
  /** When something last happened that shows progress. */
  activeAt = performance.now();
  /** The size of a large response until the client has read it. */
  largeBytes = 0;
  isClosing = false;
  readonly #all: Connections;
  readonly #parse: ((bytes: Buffer) => void) | undefined;
  /** How much of the request's body is still to come; `Infinity` when it comes in chunks. */
  #bodyBytes = 0;
  /** The end of the request line that is being read; `undefined` once it is whole. */
  #line: string | undefined = "";
  #isHeadBegun = false;
  /** What was received with the head of the request, after it. */
  #bytesAfterHead = 0;
  #pipelined = 0;
  #ignoredBytes = 0;
  #isFlushed = false;
  #isWaiting = false;
  /** Whether Node's parser has read a request. Until it has, it does not know that any came, and would close the connection. */
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
    socket.destroySoon = () => this.close(); // Node's way to close after the last response
    connections.set(socket, this);
  }

  /** Whether Node's parser gets what we give it. That is not documented: a Node to come may read the socket itself. */
  get isOurs(): boolean {
    return this.#parse !== undefined;
  }

  /** How much waits in the socket for the response under way: at most the rest of one chunk of 64 KB, and one more. */
  get waitingBytes(): number {
    return this.#isWaiting ? this.socket.readableLength : 0;
  }

  /** Whether the body of a request is being read. */
  get isReadingBody(): boolean {
    return this.response?.req.complete === false;
  }

  /** Whether neither side owes the other anything. */
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

  /** Whether what comes is a new request, and nothing has to be known of it to close the connection at the right time. */
  get #canRefuse(): boolean {
    const isQuiet = this.socket.readableLength === 0 && this.socket.writableLength === 0;
    return this.#isUsed && this.isIdle && isQuiet && !this.isClosing;
  }

  /** Where to cut so that a part never goes beyond the end of a request. */
  #endOfPart(bytes: Buffer): number {
    if (this.isReadingBody && this.#bodyBytes < Infinity) {
      const length = Math.min(this.#bodyBytes, bytes.length);
      this.#bodyBytes -= length;
      return length;
    }
    // A head ends in an empty line, and so does a body in chunks. The line may have begun in the part before.
    // Node skips a carriage return in front of a request, too.
    if (bytes[0] === lineFeed) return 1;
    if (bytes[0] === carriageReturn) return bytes[1] === lineFeed ? 2 : 1;
    const end = bytes.indexOf(endOfHead);
    return end === -1 ? bytes.length : end + endOfHead.length;
  }

  /** Whether the request line, as far as it is known, may be one of HTTP/1. Node takes RTSP and ICE too, and does not tell. */
  #isHttp(part: Buffer): boolean {
    if (this.#line === undefined) return true;
    if (this.#line === "" && (part[0] === carriageReturn || part[0] === lineFeed)) return true; // an empty line in front
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
    if (!this.isOurs && (this.response || this.isClosing)) return; // beside or behind the last response of the connection
    req.framing = readFraming(req);
    req.isSurplus = !this.#all.options.admission.take();
    this.#isUsed = true;
    this.response = response;
    this.isResponseDue = true;
    this.#bodyBytes = req.framing.bodyBytes;
    this.#line = "";
    this.#isHeadBegun = false;
    this.#pipelined++;
    const isLast = !this.isOurs || (this.#all.isEnding && this.#bytesAfterHead <= this.#bodyBytes);
    // Whatever another protocol would send after an upgrade is no request.
    if (isLast || this.#pipelined === maxPipelined || req.headers.upgrade !== undefined) {
      response.setHeader("Connection", "close");
    }
    response.once("finish", () => this.#finish());
    this.#all.options.serve(req, response);
  }

  /** Waits for {@link sendRefusal} with whatever comes behind a request that was not parsed. Calls `send` when nothing more comes. */
  holdRefusal(send: () => void): void {
    this.isResponseDue = true;
    this.socket.prependOnceListener("end", send); // Node ends a connection on which it knows of no request
  }

  /** Whether the next response is the last. */
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

  /** Lets go of what is over: a request may be large, and its connection idle for long. */
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

  /** Leaves bytes in the socket, which reads no more than one chunk beyond them. */
  #keepForLater(bytes: Buffer): void {
    this.socket.pause();
    this.socket.unshift(bytes);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#all.limit("waitingBytes", this);
  }

  /** The response under way is the last one, unless another request has arrived. */
  end(): void {
    const { response, socket } = this;
    if (response?.headersSent === false && socket.readableLength === 0) response.setHeader("Connection", "close");
  }

  /** Sends a large body as fast as the client takes it. */
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
   * Closes once everything written is sent, so that the client gets its response even while it is still sending: the system answers
   * what arrives for a closed socket with a reset, which takes away all that the client has not read (RFC 9112, 9.6).
   */
  close(): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.#isWaiting = false;
    this.activeAt = performance.now();
    this.socket.resume();
    // Of a large response the client's end is the only sign that it was read, and Node's fetch fails when the server ends first.
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

  /** Ends the connection of a client that takes nothing. */
  endIfStalled(now: number, silenceMs: number): void {
    if (this.isResponseDue && this.socket.writableLength === 0) this.activeAt = now; // it waits for the service
    const ms = now - this.activeAt;
    if (this.#isFlushed && this.largeBytes === 0) {
      if (ms >= lingerMs) this.socket.destroy();
    } else if (ms >= silenceMs && (this.isClosing || this.isResponseDue)) this.reset();
  }

  /** Frees at once what the system holds for the client. */
  reset(): void {
    const { socket } = this;
    // The system cannot reset a connection at the very moment at which it ends.
    if (socket.writableEnded && socket.writableLength === 0 && !socket.writableFinished) socket.destroy();
    else socket.resetAndDestroy();
  }
}
