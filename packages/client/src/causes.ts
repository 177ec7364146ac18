interface FetchError {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown[];
}

/**
 * A copy of the error of `fetch` and its causes, because the original may show the API key to a log. A host with several addresses has
 * an error for each: the first stands for all.
 * @param depth how many causes to copy: the chain may be a circle
 */
export function copyOf(error: unknown, clean: (text: string) => string, depth = 9): Error | undefined {
  if (!error || !depth) return undefined;
  const { code, message = error, cause, errors } = error as FetchError;
  const inner = copyOf(cause ?? errors?.[0], clean, depth - 1);
  const copy = new Error(clean(String(message)), inner && { cause: inner });
  return Object.assign(copy, typeof code === "string" && { code: clean(code) });
}

/** Why there is no response: the message of the first cause. */
export function reasonOf(error: Error | undefined): string {
  return error?.cause ? reasonOf(error.cause as Error) : error?.message || "no reason given";
}
