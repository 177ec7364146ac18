import { failArgument } from "./check.ts";
import type { ResponseDetails } from "./errors.ts";
import type { Incoming } from "./exchange.ts";
import { cursorOf } from "./paths.ts";
import type { Result } from "./result.ts";

/** One page of a list. `for … of` iterates over its items; `for await` continues with the items of all following pages. */
export interface Page<Item> extends Iterable<Item>, AsyncIterable<Item> {
  /** The items, in ascending order of id. */
  data: Item[];
  /** The `cursor` of the next page; `undefined` on the last one. */
  next: string | undefined;
  /** The status, headers and request id of the response. */
  response: ResponseDetails;
  /** Fetches the next page, with the options of this call. Resolves with `undefined` after the last one. */
  nextPage(): Promise<Page<Item> | undefined>;
}

/**
 * A list that is fetched on demand. `await` fetches its first page, once. `for await` iterates over the items of all pages and fetches
 * each page when its first item is needed. Every iteration fetches the pages again.
 *
 * A page whose `next` is that of an earlier page rejects with a {@link DecodeError}, so that no iteration is endless.
 */
export interface PageList<Item> extends Result<Page<Item>>, AsyncIterable<Item> {
  /** Iterates over the pages and fetches each one when it is needed. */
  pages(): AsyncIterableIterator<Page<Item>>;
  /**
   * Fetches pages until there are `max` items, and returns these in one array. `Infinity` returns all items.
   * @throws {InvalidArgumentError} when `max` is not a number of at least 0
   */
  toArray(options: { max: number }): Promise<Item[]>;
}

/**
 * @param firstPath the path and query of the first page
 * @param load fetches the page at a path, and fails if the cursor of its next page is one of `past`
 */
export function pageList<Item>(
  firstPath: string,
  load: (path: string, past: readonly unknown[]) => Promise<Incoming<Item[]>>,
): PageList<Item> {
  /**
   * Pages in a circle would have no end. To notice that with constant memory, each cursor is compared with only two earlier ones: that
   * of its own page, and that of page 1, 2, 4, 8 and so on, whichever was last (Brent's algorithm).
   */
  async function loadPage(path: string, number = 1, marked?: string): Promise<Page<Item>> {
    const cursor = cursorOf(path);
    const { data, response } = await load(path, [cursor, marked, undefined]);
    const { next } = response;
    const nextMarked = Math.log2(number) % 1 ? marked : cursor;
    const nextPage = async (): Promise<Page<Item> | undefined> =>
      next === undefined ? undefined : loadPage(next, number + 1, nextMarked);
    // Methods are not enumerable, so that a page prints as its data.
    const page = { data, next: cursorOf(next), response } as Page<Item>;
    return Object.defineProperties(page, {
      nextPage: { value: nextPage },
      [Symbol.iterator]: { value: () => data.values() },
      [Symbol.asyncIterator]: { value: () => itemsFrom(page) },
    });
  }

  async function* pages(): AsyncGenerator<Page<Item>, void> {
    for (let page: Page<Item> | undefined = await loadPage(firstPath); page; page = await page.nextPage()) yield page;
  }

  async function* itemsFrom(first?: Page<Item>): AsyncGenerator<Item, void> {
    for (let page: Page<Item> | undefined = first ?? (await loadPage(firstPath)); page; page = await page.nextPage())
      yield* page.data;
  }

  let awaited: Promise<Page<Item>> | undefined;
  const first = (): Promise<Page<Item>> => (awaited ??= loadPage(firstPath));
  return {
    pages,
    [Symbol.asyncIterator]: () => itemsFrom(),
    async toArray(options) {
      const { max } = Object(options) as typeof options;
      if (!(typeof max === "number" && max >= 0)) failArgument("max", "a number");
      const found: Item[] = [];
      if (max > 0) for await (const item of itemsFrom()) if (found.push(item) >= max) break;
      return found;
    },
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list fetches its first page
    then: (onFulfilled, onRejected) => first().then(onFulfilled, onRejected),
    catch: (onRejected) => first().catch(onRejected),
    finally: (onFinally) => first().finally(onFinally),
    withResponse: () => first().then((data) => ({ data, response: data.response })),
    [Symbol.toStringTag]: "PageList",
  };
}
