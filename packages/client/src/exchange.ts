import type { Decode } from "./decode.ts";
import type { ResponseDetails } from "./errors.ts";
import type { CreateOptions } from "./options.ts";

/** A request that can be sent several times. */
export interface Outgoing<Data> {
  operation: string;
  method: string;
  /** Relative to the base URL, with the query. */
  path: string;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The body. */
  json?: string | undefined;
  /** Whether the request comes from {@link request}, which allows any media type. */
  isRaw?: boolean;
  /** Cursors that the next page must not have. */
  past?: ReadonlySet<unknown>;
  decode: Decode<Data>;
}

export interface Incoming<Data> {
  data: Data;
  response: ResponseDetails;
}

/** The member of a client that {@link request} calls. A registered symbol, because a program may have two copies of this package. */
export const sender = Symbol.for("@petstore/client.sender");

/** What {@link request} needs from a client. */
export interface Sender {
  baseUrl: string;
  call: <Data>(outgoing: Outgoing<Data>, options: CreateOptions) => Promise<Incoming<Data>>;
}
