import type { ResponseDetails } from "./errors.ts";
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
 * @param path the path and query of the first page
 * @param load fetches the page at a path with its query
 */
export function pageList<Item>(
  path: string,
  load: (path: string) => Promise<{ data: Item[]; response: ResponseDetails }>,
): PageList<Item> {
  async function loadPage(pagePath: string): Promise<Page<Item>> {
    const { data, response } = await load(pagePath);
    const next = new URLSearchParams(response.next?.split("?")[1]).get("cursor") ?? undefined;
    return { data, next, response };
  }

  async function* pages(): AsyncGenerator<Page<Item>, void> {
    for (let next: string | undefined = path; next !== undefined;) {
      const page: Page<Item> = await loadPage(next);
      yield page;
      next = page.response.next;
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
      awaited ??= loadPage(path);
      return awaited.then(onFulfilled, onRejected);
    },
  };
}
