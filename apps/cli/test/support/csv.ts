/**
 * Reads CSV as RFC 4180 describes it, with the line ends of Unix or of the standard. Knows nothing
 * of how ours is written.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let end = 0;
  for (const found of text.matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n)/gy)) {
    const [whole, quoted, bare = "", separator] = found;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (separator !== ",") rows.push([]);
    end = found.index + whole.length;
  }
  if (end !== text.length || rows.pop()?.length !== 0)
    throw new SyntaxError(`It is no CSV any more at ${end}`);
  return rows;
}
