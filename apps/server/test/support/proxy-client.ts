import { once } from "node:events";
import {
  Agent as PlainAgent,
  request as requestPlain,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from "node:http";
import { Agent as TlsAgent, request as requestTls } from "node:https";
import { text } from "node:stream/consumers";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

type Headers = Readonly<Record<string, string>>;

/** A client with one connection, which it keeps. It never repeats a request. */
export interface Client {
  /** Its address: another one than the proxy's own, as of a caller elsewhere. */
  address: string;
  send(method: string, path: string, headers: Headers, body?: string): Promise<Answer>;
  /** Begins a request whose body is sent in parts. */
  open(method: string, path: string, headers: Headers): Upload;
  close(): void;
}

export interface Upload {
  write(part: string): void;
  end(part?: string): void;
  answer: Promise<Answer>;
}

export function openClient(origin: string): Client {
  const isTls = origin.startsWith("https:");
  const address = "127.0.0.2";
  const options = {
    keepAlive: true,
    maxSockets: 1,
    localAddress: address,
    rejectUnauthorized: false,
  };
  const agent = isTls ? new TlsAgent(options) : new PlainAgent(options);
  const open = (method: string, path: string, headers: Headers): Upload => {
    const sent = (isTls ? requestTls : requestPlain)(origin + path, { agent, method, headers });
    const answer = once(sent, "response").then(([response]) => read(response as IncomingMessage));
    sent.on("error", () => {}); // after an answer, the rest of a body may not be read
    return { write: (part) => void sent.write(part), end: (part) => void sent.end(part), answer };
  };
  return {
    address,
    open,
    send(method, path, headers, body) {
      const length = body === undefined ? {} : { "Content-Length": String(body.length) };
      const sent = open(method, path, { ...headers, ...length });
      sent.end(body);
      return sent.answer;
    },
    close: () => agent.destroy(),
  };
}

async function read(response: IncomingMessage): Promise<Answer> {
  const body = await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}
