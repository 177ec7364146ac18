/** The cursor of the page after this one, which its `Link` header leads to. */
export function nextCursor({ headers }: { headers: Headers }): string | undefined {
  const query = /<\?([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
  return new URLSearchParams(query).get("cursor") ?? undefined;
}
