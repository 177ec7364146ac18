/** One error in the chain of causes. */
export interface Cause {
  /** Such as `ECONNREFUSED`. */
  code: string | undefined;
  message: string;
}

/** Patterns of the codes of Node and Bun, and of the messages of Deno, in words. Other messages are in words already. */
const reasons: Readonly<Record<string, RegExp>> = {
  "connection refused": /refused/i,
  "host name not found": /NOTFOUND|EAI_|dns error/,
  "connection closed": /RESET|SOCKET|EPIPE/,
  "TLS handshake failed": /SSL/,
};

/** Why there is no response, in words. */
export function reasonOf(causes: readonly Cause[]): string | undefined {
  const { code, message } = causes.at(-1) ?? {};
  const known = Object.keys(reasons).find((reason) => reasons[reason]?.test(`${code} ${message}`));
  return known ?? message ?? "no reason given";
}

interface FetchError {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown[];
}

/** The first of a chain of causes as an error. Not the original, which may show the API key to a log. */
export function toError(causes: readonly Cause[]): Error | undefined {
  return causes.reduceRight<Error | undefined>((cause, { code, message }) => {
    return Object.assign(new Error(message, cause && { cause }), code && { code });
  }, undefined);
}

/** The chain of causes. A host with several addresses has an error for each: the first stands for all. */
export function causesOf(cause: unknown, clean: (text: string) => string): Cause[] {
  const causes: Cause[] = [];
  // The limit is for a chain that is a circle.
  for (let next: unknown = cause; next && causes.length < 9;) {
    const { code, message = next, cause: inner, errors } = next as FetchError;
    causes.push({ code: typeof code === "string" ? clean(code) : undefined, message: clean(String(message)) });
    next = inner ?? errors?.[0];
  }
  return causes;
}
