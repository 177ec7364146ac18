import { maxPageLimit } from "@petstore/contract/rules";
import { failArgument, take } from "./check.ts";
import { DecodeError } from "./errors.ts";
import type { Incoming, Result } from "./exchange.ts";
import { cursorOf } from "./paths.ts";

/** One page of a list. A plain object: caches and server actions can copy it. */
export interface Page<Item> {
  /** The items, in ascending order of id. */
  data: Item[];
  /** The `cursor` of the next page; `undefined` on the last one. */
  next: string | undefined;
}

/**
 * A list that is fetched on demand. `await` fetches one page, once. `for await` iterates over the
 * items of this and all following pages and fetches each page when its first item is needed. Every
 * iteration fetches the pages again.
 *
 * Every iteration ends: a page that leads back to an earlier one, and the tenth empty page in a
 * row, reject with a {@link DecodeError}.
 */
export interface PageList<Item> extends Result<Page<Item>>, AsyncIterable<Item> {
  /** Iterates over the pages: this one and all following ones. */
  pages(): AsyncIterable<Page<Item>>;
  /**
   * Fetches pages until there are `max` items, and returns these in one array. `Infinity` returns
   * all items.
   * @throws {InvalidArgumentError} when `max` is not a number of at least 0
   */
  toArray(options: { max: number }): Promise<Item[]>;
}

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * A service that links to so many pages without an item, one after the other, does not end the
 * list.
 */
const maxEmptyPages = 10;

/**
 * @param query the query of the first page
 * @param load fetches a page, and fails if the cursor of the next one is in `past`
 */
export function pageList<Item>(
  operation: string,
  query: PageQuery,
  load: (query: PageQuery, past: ReadonlySet<unknown>) => Promise<Incoming<Item[]>>,
): PageList<Item> {
  /** @param past the cursors of earlier pages, to detect a loop */
  async function loadPage(
    page: PageQuery,
    past = new Set<unknown>([undefined]),
  ): Promise<Incoming<Page<Item>>> {
    const { data, response } = await load(page, past.add(page.cursor));
    return { data: { data, next: cursorOf(response.next) }, response };
  }

  async function* pages(limit = query.limit): AsyncGenerator<Page<Item>, void> {
    let { cursor } = query;
    let emptyPages = 0;
    const past = new Set<unknown>([undefined]);
    do {
      const { data: page, response } = await loadPage({ ...query, limit, cursor }, past);
      yield page;
      cursor = page.next;
      if (page.data[0]) emptyPages = 0;
      else if (cursor && ++emptyPages === maxEmptyPages) {
        const { status, requestId, retries } = response;
        const details = { operation, status, requestId, retries, field: "Link" };
        throw new DecodeError(`${operation} got ${emptyPages} empty pages in a row`, details);
      }
    } while (cursor !== undefined);
  }

  async function* items(limit?: number): AsyncGenerator<Item, void> {
    for await (const page of pages(limit)) yield* page.data;
  }

  let awaited: Promise<Incoming<Page<Item>>> | undefined;
  const first = (): Promise<Incoming<Page<Item>>> => (awaited ??= loadPage(query));
  const page = (): Promise<Page<Item>> => first().then(({ data }) => data);
  return {
    [Symbol.asyncIterator]: () => items(),
    pages,
    async toArray(options) {
      const { max } = take("options", { max: true }, options);
      if (!(typeof max === "number" && max >= 0)) failArgument("max", "a number");
      const found: Item[] = [];
      const limit = query.limit ?? Math.min(Math.ceil(max), maxPageLimit);
      if (max > 0) for await (const item of items(limit)) if (found.push(item) >= max) break;
      return found;
    },
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list fetches its first page
    then: (onFulfilled, onRejected) => page().then(onFulfilled, onRejected),
    catch: (onRejected) => page().catch(onRejected),
    finally: (onFinally) => page().finally(onFinally),
    withResponse: () => first().then((incoming) => incoming),
    [Symbol.toStringTag]: "PageList",
  };
}
