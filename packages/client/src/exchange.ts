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
  json?: string | undefined;
  /** Cursors that the next page must not have. */
  past?: ReadonlySet<unknown>;
  decode: Decode<Data>;
}

export interface Incoming<Data> {
  data: Data;
  response: ResponseDetails;
}

/** The result of a call. `await` it to get only the data. */
export interface Result<Data> extends Promise<Data> {
  /** The data with the status, headers and request id of its response. Sends no further request. */
  withResponse(): Promise<{ data: Data; response: ResponseDetails }>;
}

/** Starts a call. Its result is the data, or with `withResponse()` the data and the response. */
export function toResult<Data>(start: () => Promise<Incoming<Data>>): Result<Data> {
  const incoming = start();
  const result = incoming.then(({ data }) => data);
  return Object.assign(result, {
    withResponse() {
      result.catch(() => {}); // the returned promise reports a failure
      // a new promise, whose failure is reported even if it is not awaited
      return incoming.then((each) => each);
    },
  });
}
