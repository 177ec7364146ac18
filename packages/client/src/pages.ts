import { DecodeError, type ResponseFacts } from "./errors.ts";
import { check } from "./options.ts";

/** One page of a list. */
export interface Page<Item> {
  /** Its items, in ascending order of id. */
  data: Item[];
  /** The `cursor` of the next page; `undefined` on the last one. */
  next: string | undefined;
  /** What came with it: the status, the headers, the request id. */
  response: ResponseFacts;
}

/**
 * A list that has not been asked for yet. `await` fetches its first page, once; `for await` walks its items through all pages, and
 * fetches each page when its first item is due. Every walk fetches anew.
 */
export interface PageList<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  /** Walks the pages, and fetches each when it is due. */
  pages(): AsyncIterableIterator<Page<Item>>;
  /**
   * The first `max` items of all pages, in one array. `Infinity` means all.
   * @throws {InvalidArgumentError} when `max` is not a number
   */
  toArray(options: { max: number }): Promise<Item[]>;
}

/**
 * @param url of the list, without a query
 * @param first the query of the first page, with its `?`
 * @param load fetches the page with such a query
 */
export function pageList<Item>(
  url: string,
  first: string,
  load: (query: string) => Promise<{ data: Item[]; response: ResponseFacts }>,
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
    // oxlint-disable-next-line unicorn/no-thenable -- a list is awaited for its first page, and only then asked for
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
  // The API key must not go where a response says.
  const isHere = URL.canParse(reference, url) && new URL(reference, url).origin === new URL(url).origin;
  if (!isHere) throw new DecodeError("Link breaks the contract");
  return new URL(reference, url);
}
