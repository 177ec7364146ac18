import type { PageQuery } from "@petstore/contract/contract";
import { parseInt64, type Int64 } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { invalidRequest } from "./http-error.ts";
import { andThen, type MaybePromise } from "./maybe-promise.ts";
import type { StoredItem } from "./store.ts";

/**
 * Signs a text with the store's secret: at least 22 characters of base64url, which are 132 bits.
 */
export type Sign = (text: string) => string;

const signatureLength = 22;

export interface Page {
  /** The items, as a JSON array. */
  text: string;
  headers: { Link?: string };
}

/** A list of the contract. */
interface List {
  path: string;
  query: { shape: object };
}

/**
 * Returns a function that reads pages of a list. A cursor is the last id of a page and a signature,
 * which also covers the list.
 *
 * @param publicUrl the address at which clients reach the service, if it is known: links to the
 * next page begin with it
 */
export function createPageReader<Query extends PageQuery>(
  name: string,
  { path, query: { shape } }: List,
  sign: Sign,
  publicUrl: string | undefined,
) {
  // Most clients follow only an absolute reference by themselves. A relative one works behind any
  // host and path prefix.
  const address = publicUrl === undefined ? "" : publicUrl + path;
  // Every other declared parameter is a filter. A cursor is valid only for the same list with the
  // same filters.
  const filters = Object.keys(shape).filter(
    (each) => each !== "limit" && each !== "cursor",
  ) as (keyof Query & string)[];

  /** The given filters, as they continue a query: `&status=sold`. */
  function filtersOf(query: Query): string {
    const given = filters.filter((filter) => query[filter] !== undefined);
    return given
      .map((filter) => `&${filter}=${encodeURIComponent(String(query[filter]))}`)
      .join("");
  }

  /** The cursor for the items after the id `after`. */
  function write(query: Query, after: Int64): string {
    // a filter that is added later changes no cursor without it
    const signature = sign(`${after}${name}${filtersOf(query)}`);
    return `${after}_${signature.slice(0, signatureLength)}`;
  }

  /** @throws {HttpError} 400 when the cursor was not written for this list */
  function read(query: Query): Int64 | undefined {
    const { cursor } = query;
    if (cursor === undefined) return undefined;
    const [, id = ""] = /^(-?\d{1,19})_/.exec(cursor) ?? [];
    const after = parseInt64(id);
    if (after !== undefined && isEqual(write(query, after), cursor)) return after;
    throw invalidRequest({
      query: [{ field: "cursor", must: `${expected.cursor}, with the same filters` }],
    });
  }

  /** The `Link` header of the next page (RFC 8288). */
  function nextLink(query: Query, last: StoredItem): string {
    return `<${address}?cursor=${write(query, last.id)}&limit=${query.limit}${filtersOf(query)}>; rel="next"`;
  }

  function toPage(query: Query, found: readonly StoredItem[]): Page {
    const { limit } = query;
    const items = found.slice(0, limit).map(({ json }) => json);
    const last = found.length > limit ? found[limit - 1] : undefined;
    return {
      text: `[${items.join(",")}]`,
      headers: last === undefined ? {} : { Link: nextLink(query, last) },
    };
  }

  /** @param load loads the items after the id `after` */
  return function readPage(
    query: Query,
    load: (page: Query & { after: Int64 | undefined }) => MaybePromise<StoredItem[]>,
  ): MaybePromise<Page> {
    // One extra item shows whether there is a next page.
    const items = load({ ...query, limit: query.limit + 1, after: read(query) });
    return andThen(items, (found) => toPage(query, found));
  };
}

/** Compares in constant time for texts of equal length. */
function isEqual(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index++)
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}
