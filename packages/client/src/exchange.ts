import type { Decode } from "./decode.ts";
import type { ResponseDetails } from "./errors.ts";

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
  /** Whether the caller wrote the request, which may have any media type. */
  isRaw?: boolean;
  /** Cursors that the next page must not have. */
  past?: readonly unknown[];
  decode: Decode<Data>;
}

export interface Incoming<Data> {
  data: Data;
  response: ResponseDetails;
}
