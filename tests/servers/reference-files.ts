/** The target of the program of a server's reference page. Its name changes with its content. */
export async function referenceProgram(serverUrl: string): Promise<string> {
  const response = await fetch(new URL("/docs", serverUrl));
  const page = await response.text();
  const [, program] =
    /<script nonce="[^"]+" src="(docs\/scalar\.[0-9a-f]{12}\.js)"/.exec(page) ?? [];
  if (program === undefined) throw new Error(`The page names no program: ${page}`);
  return `/${program}`;
}
