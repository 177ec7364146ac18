import type { Fields } from "@petstore/contract/fields";
import { toInt64, type Int64 } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import type { PageQuery } from "@petstore/contract/operations";
import { invalidRequest } from "./refusal.ts";

/** Signs bytes with the secret of the store. The first 16 bytes of the signature are used. */
export type Sign = (bytes: Uint8Array) => Uint8Array;

const utf8 = new TextEncoder();

const idBytes = 8;
const macBytes = 16;

/** Makes what reads pages of lists. A cursor is the last id of a page and a message authentication code, in base64url. */
export function createPageReader(sign: Sign) {
  /** Where a list goes on behind `after`. */
  function write(list: string, after: Int64): string {
    const name = utf8.encode(list);
    const signed = new Uint8Array(idBytes + name.length);
    new DataView(signed.buffer).setBigInt64(0, BigInt(after));
    signed.set(name, idBytes);
    const bytes = [...signed.subarray(0, idBytes), ...sign(signed).subarray(0, macBytes)];
    return btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_");
  }

  /** @throws {Refusal} 400 when the cursor was not written for this list */
  function read(list: string, cursor: string | undefined): Int64 | undefined {
    if (cursor === undefined) return undefined;
    const after = idOf(cursor);
    if (after !== undefined && isEqual(write(list, after), cursor)) return after;
    throw invalidRequest({ query: [{ field: "cursor", must: `${expected.cursor}, with the same filters` }] });
  }

  /**
   * Reads a page, and one item more, only to know whether there is a next page. The `Link` header leads to it (RFC 8288) as a relative
   * reference, which is right for any host and path prefix.
   */
  return async function readPage<Query extends PageQuery, Item extends { id: Int64 }>(
    name: string,
    { fields }: { fields: Fields },
    query: Query,
    load: (page: Query & { after: Int64 | undefined }) => Promise<Item[]>,
  ): Promise<{ items: Item[]; headers: { Link?: string } }> {
    const { limit, cursor } = query;
    // Every other parameter that is declared is a filter: a cursor is good for one list with the same filters.
    const names = Object.keys(fields).filter((each) => each !== "limit" && each !== "cursor");
    const filters = names.map((each) => [each, query[each as keyof Query]] as const);
    const list = [name, ...filters.map(([, value]) => value ?? "")].join(" ");
    const found = await load({ ...query, limit: limit + 1, after: read(list, cursor) });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    if (found.length <= limit || last === undefined) return { items, headers: {} };
    const next = new URLSearchParams({ cursor: write(list, last.id), limit: String(limit) });
    for (const [filter, value] of filters) if (value !== undefined) next.set(filter, String(value));
    return { items, headers: { Link: `<?${next.toString()}>; rel="next"` } };
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
