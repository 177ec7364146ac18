import type { Fields } from "@petstore/contract/fields";
import { toInt64, type Int64 } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import type { PageQuery } from "@petstore/contract/operations";
import { andThen, type Found } from "./found.ts";
import { invalidRequest } from "./refusal.ts";
import type { StoredItem } from "./store.ts";

/** Signs bytes with the secret of the store. The first 16 bytes of the signature are used. */
export type Sign = (bytes: Uint8Array) => Uint8Array;

const utf8 = new TextEncoder();

const idBytes = 8;
const macBytes = 16;

/** A page of a list. */
export interface Page {
  /** The items, as a JSON array. */
  text: string;
  headers: { Link?: string };
}

/** Reads a page: the query, with the place to start behind. */
type Load<Query> = (page: Query & { after: Int64 | undefined }) => Found<StoredItem[]>;

/** Makes what reads the pages of a list. A cursor is the last id of a page and a message authentication code, in base64url. */
export function createPageReader<Query extends PageQuery>(name: string, { fields }: { fields: Fields }, sign: Sign) {
  // Every other parameter that is declared is a filter: a cursor is good for one list with the same filters.
  const filters = Object.keys(fields).filter((each) => each !== "limit" && each !== "cursor") as (keyof Query &
    string)[];

  /** Where the list goes on behind `after`. */
  function write(query: Query, after: Int64): string {
    const list = utf8.encode([name, ...filters.map((filter) => query[filter] ?? "")].join(" "));
    const signed = new Uint8Array(idBytes + list.length);
    new DataView(signed.buffer).setBigInt64(0, BigInt(after));
    signed.set(list, idBytes);
    const bytes = [...signed.subarray(0, idBytes), ...sign(signed).subarray(0, macBytes)];
    return btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_");
  }

  /** @throws {Refusal} 400 when the cursor was not written for this list */
  function read(query: Query): Int64 | undefined {
    const { cursor } = query;
    if (cursor === undefined) return undefined;
    const after = idOf(cursor);
    if (after !== undefined && isEqual(write(query, after), cursor)) return after;
    throw invalidRequest({ query: [{ field: "cursor", must: `${expected.cursor}, with the same filters` }] });
  }

  /** Leads to the next page (RFC 8288) as a relative reference, which is right for any host and path prefix. */
  function linkBehind(query: Query, last: StoredItem): string {
    let next = `cursor=${write(query, last.id)}&limit=${query.limit}`;
    for (const filter of filters) {
      if (query[filter] !== undefined) next += `&${filter}=${encodeURIComponent(String(query[filter]))}`;
    }
    return `<?${next}>; rel="next"`;
  }

  function toPage(query: Query, found: readonly StoredItem[]): Page {
    const { limit } = query;
    const text = `[${found
      .slice(0, limit)
      .map(({ json }) => json)
      .join(",")}]`;
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { text, headers: last === undefined ? {} : { Link: linkBehind(query, last) } };
  }

  return function readPage(query: Query, load: Load<Query>): Found<Page> {
    // One item more, only to know whether there is a next page.
    const items = load({ ...query, limit: query.limit + 1, after: read(query) });
    return andThen(items, (found) => toPage(query, found));
  };
}

/** The id in front of a cursor: 24 bytes, 32 characters without padding. */
function idOf(cursor: string): Int64 | undefined {
  if (!/^[\w-]{32}$/.test(cursor)) return undefined;
  const bytes = Uint8Array.from(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
  return toInt64(new DataView(bytes.buffer).getBigInt64(0));
}

/** Takes the same time wherever two texts of one length differ. */
function isEqual(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}
