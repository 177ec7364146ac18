/** The targets of the files that the reference page of a server has. Their names change with their content. */
export async function referenceFiles(serverUrl: string): Promise<{ script: string; icon: string }> {
  const response = await fetch(new URL("/docs", serverUrl));
  const page = await response.text();
  const [, script] = /<script nonce="[^"]+" src="(docs\/scalar\.[0-9a-f]{12}\.js)"/.exec(page) ?? [];
  const [, icon] = /<link rel="icon" [^>]*href="(docs\/icon\.[0-9a-f]{12}\.svg)"/.exec(page) ?? [];
  if (script === undefined || icon === undefined) throw new Error(`The page names no files: ${page}`);
  return { script: `/${script}`, icon: `/${icon}` };
}
