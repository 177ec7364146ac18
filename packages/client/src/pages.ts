import { DecodeError, type ResponseDetails } from "./errors.ts";
import { check } from "./options.ts";

/** One page of a list. */
export interface Page<Item> {
  /** The items, in ascending order of id. */
  data: Item[];
  /** The `cursor` of the next page; `undefined` on the last one. */
  next: string | undefined;
  /** The status, headers and request id of the response. */
  response: ResponseDetails;
}

/**
 * A list that is fetched on demand. `await` fetches its first page, once. `for await` iterates over the items of all pages and fetches
 * each page when its first item is needed. Every iteration fetches the pages again.
 */
export interface PageList<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  /** Iterates over the pages and fetches each one when it is needed. */
  pages(): AsyncIterableIterator<Page<Item>>;
  /**
   * Fetches pages until there are `max` items, and returns these in one array. `Infinity` returns all items.
   * @throws {InvalidArgumentError} when `max` is not a number
   */
  toArray(options: { max: number }): Promise<Item[]>;
}

/**
 * @param url the URL of the list, without a query
 * @param first the query of the first page, with its `?`
 * @param load fetches the page with this query
 */
export function pageList<Item>(
  url: string,
  first: string,
  load: (query: string) => Promise<{ data: Item[]; response: ResponseDetails }>,
): PageList<Item> {
  async function loadPage(query: string): Promise<[page: Page<Item>, nextQuery: string | undefined]> {
    const { data, response } = await load(query);
    const next = nextUrl(response.headers, url + query);
    return [{ data, next: next?.searchParams.get("cursor") ?? undefined, response }, next?.search];
  }

  async function* pages(): AsyncGenerator<Page<Item>, void> {
    for (let query: string | undefined = first; query !== undefined;) {
      const [page, nextQuery] = await loadPage(query);
      yield page;
      query = nextQuery;
    }
  }

  async function* items(): AsyncGenerator<Item, void> {
    for await (const { data } of pages()) yield* data;
  }

  let awaited: Promise<Page<Item>> | undefined;
  return {
    pages,
    [Symbol.asyncIterator]: items,
    async toArray({ max }) {
      check(typeof max === "number" && max >= 0, "max", "a number");
      const found: Item[] = [];
      if (max > 0) for await (const item of items()) if (found.push(item) >= max) break;
      return found;
    },
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list fetches its first page
    then(onFulfilled, onRejected) {
      awaited ??= loadPage(first).then(([page]) => page);
      return awaited.then(onFulfilled, onRejected);
    },
  };
}

/** The target of the `rel="next"` link (RFC 8288). */
function nextUrl(headers: Headers, url: string): URL | undefined {
  const reference = /<([^<>]*)>\s*;\s*rel="?next"?/i.exec(headers.get("Link") ?? "")?.[1];
  if (reference === undefined) return undefined;
  // A response must not make the client send its API key to another origin.
  const isSameOrigin = URL.canParse(reference, url) && new URL(reference, url).origin === new URL(url).origin;
  if (!isSameOrigin) throw new DecodeError("Link breaks the contract");
  return new URL(reference, url);
}
