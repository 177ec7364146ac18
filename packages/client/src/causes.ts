interface FetchError {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown[];
}

/**
 * Copies an error of `fetch` and its causes, because a log of the original may reveal the API key.
 * A host with several addresses has an error for each: the first one is used.
 * @param depth how many causes to copy, because the chain may be circular
 */
export function copyOf(
  error: unknown,
  clean: (text: string) => string,
  depth = 9,
): Error | undefined {
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
