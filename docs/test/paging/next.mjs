/** The reference of the next page, for libraries that do not read `Link` headers. */
export function nextIn(link) {
  return /<([^>]*)>; rel="next"/.exec(link ?? "")?.[1];
}
