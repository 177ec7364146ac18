import { withoutUndefined } from "./options.ts";

/**
 * The path and query of the next page, relative to the base URL: the path of the request, with the query of the `rel="next"` link
 * (RFC 8288).
 *
 * @param path the path of the request, which may have a query
 * @param fail called when the link is invalid or leads to another origin: a response must not decide where the API key is sent
 */
export function nextPath(
  headers: Headers,
  baseUrl: string,
  path: string,
  fail: (field: string, expected: string) => never,
): string | undefined {
  const reference = nextReference(headers.get("Link") ?? "");
  if (reference === undefined) return undefined;
  const base = baseUrl + path;
  const url = URL.canParse(reference, base) ? new URL(reference, base) : undefined;
  if (url?.origin !== new URL(base).origin) return fail("Link", "a URL of the same origin");
  return path.replace(/\?.*/s, "") + url.search;
}

/** The target of the first link with the relation `next`. Reads the header in linear time. */
function nextReference(header: string): string | undefined {
  // A quoted text may contain anything. One that never ends is read to the end: otherwise, the search would start again inside it.
  for (const [, reference, parameters = ""] of header.matchAll(/<([^<>]*)>((?:"(?:[^"\\]|\\.)*"?|[^",<])*)/g)) {
    for (const [, name = "", relations = ""] of parameters.matchAll(
      /;\s*([\w*-]+)\s*=\s*("(?:[^"\\]|\\.)*"?|[^\s;]*)/g,
    )) {
      if (name.toLowerCase() !== "rel") continue;
      if (/(?:^|[\s"])next(?:$|[\s"])/i.test(relations)) return reference;
      break; // only the first `rel` of a link counts
    }
  }
  return undefined;
}

/** The path with these parameters added to its query. Those that are `undefined` are omitted. */
export function withQuery(path: string, query: object = {}): string {
  const search = new URLSearchParams(withoutUndefined(query) as Record<string, string>).toString();
  return search ? `${path}${path.includes("?") ? "&" : "?"}${search}` : path;
}

/** Whether a path is below the base URL, so that the API key is sent nowhere else. */
export function isBelow(baseUrl: string, path: unknown): boolean {
  // A backslash counts as a slash in URLs, and `..` may be escaped.
  const isPath = typeof path === "string" && /^\/(?!\/)[^\\#]*$/.test(path);
  return isPath && new URL(baseUrl + path).href.startsWith(new URL(`${baseUrl}/`).href);
}
