/** The targets of the files that the reference page of a server has. Their names change with their content. */
export async function referenceFiles(serverUrl: string): Promise<{ script: string; logo: string }> {
  const response = await fetch(new URL("/docs", serverUrl));
  const page = await response.text();
  const [, script] = /<script nonce="[^"]+" src="(docs\/scalar\.[0-9a-f]{12}\.js)"/.exec(page) ?? [];
  const [, logo] = /<link rel="icon" [^>]*href="(docs\/logo\.[0-9a-f]{12}\.svg)"/.exec(page) ?? [];
  if (script === undefined || logo === undefined) throw new Error(`The page names no files: ${page}`);
  return { script: `/${script}`, logo: `/${logo}` };
}
