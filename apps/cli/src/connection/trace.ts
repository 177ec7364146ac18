import type { Fetch } from "@petstore/client";
import { visible } from "@petstore/contract/visible";
import { redact } from "../settings/mask.ts";
import type { Terminal } from "../types.ts";

/** Writes a line of the trace. */
export type WriteLine = (line: string) => void;

/** Writes lines to standard error, without the key, and harmless for a terminal. */
export function traceLines({ stderr }: Terminal, apiKey: () => string): WriteLine {
  return (line) => void stderr.write(`${visible(redact(line, apiKey()))}\n`);
}

/** A `fetch` that writes requests and the heads of responses, like `curl -v`. */
export function tracing(write: WriteLine): Fetch {
  return async (url, init) => {
    const startedAt = performance.now();
    const elapsed = (): string => `${Math.round(performance.now() - startedAt)} ms`;
    const { method, headers, body } = init;
    const content = body === null ? [] : [body];
    for (const line of [`${method} ${url}`, ...headerLines(Object.entries(headers)), "", ...content])
      write(`> ${line}`.trimEnd());
    try {
      const response = await fetch(url, init);
      const status = `HTTP ${response.status} ${response.statusText}`.trimEnd();
      for (const line of [`${status} in ${elapsed()}`, ...headerLines(response.headers), ""])
        write(`< ${line}`.trimEnd());
      return response;
    } catch (error) {
      write(`* no response in ${elapsed()}: ${reasonOf(error as Error)}`);
      throw error;
    }
  };
}

function headerLines(headers: Iterable<[name: string, value: string]>): string[] {
  return Array.from(headers, ([name, value]) => `${name}: ${value}`);
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
