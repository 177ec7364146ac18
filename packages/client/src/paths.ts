import { withoutUndefined, type Fail } from "./check.ts";

/**
 * The path and query of the next page, relative to the base URL: the path of the request, with the
 * query of the `rel="next"` link (RFC 8288). Nothing else of the link counts: a response must not
 * decide where the API key is sent, and the address that clients outside of a network use may not
 * work inside.
 *
 * @param path the path of the request, which may have a query
 * @param past cursors of earlier pages, which must not repeat
 */
export function nextPath(
  headers: Headers,
  path: string,
  past: ReadonlySet<unknown> | undefined,
  fail: Fail,
): string | undefined {
  const reference = nextReference(headers.get("Link") ?? "");
  if (reference === undefined) return undefined;
  const [query = ""] = /\?[^#]*/.exec(reference) ?? [];
  const next = path.replace(/\?.*/s, "") + query;
  const cursor = cursorOf(next);
  return past?.has(cursor) ? fail("Link", "a link to a new page") : next;
}

/** The target of the first link with the relation `next`. */
function nextReference(header: string): string | undefined {
  const next = header.split(/,\s*(?=<)/).find((link) => /;\s*rel="?next"?\s*(?:;|$)/i.test(link));
  return next && /<([^>]*)>/.exec(next)?.[1];
}

/** The parameter `cursor` of a path with a query. */
export function cursorOf(path: string | undefined): string | undefined {
  return new URLSearchParams(path?.split("?")[1]).get("cursor") ?? undefined;
}

/** The path with these parameters added to its query. Those that are `undefined` are omitted. */
export function withQuery(path: string, query: object = {}): string {
  const search = new URLSearchParams(withoutUndefined(query) as Record<string, string>).toString();
  return search ? `${path}${path.includes("?") ? "&" : "?"}${search}` : path;
}
