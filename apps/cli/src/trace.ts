import type { Fetch, FetchInit, FetchResponse } from "@petstore/client";
import { visible } from "@petstore/contract/visible";
import { redact } from "./redact.ts";
import type { Terminal } from "./terminal.ts";

/** Writes a line of the trace. */
export type WriteLine = (line: string) => void;

/** Writes lines to standard error, without the key, and harmless for a terminal. */
export function traceLines({ stderr }: Terminal, apiKey: () => string): WriteLine {
  return (line) => void stderr.write(`${visible(redact(line, apiKey()))}\n`);
}

/** A `fetch` that writes requests and the heads of responses, like `curl -v`. */
export function tracing(send: Fetch, write: WriteLine): Fetch {
  return async (url, init) => {
    const startedAt = performance.now();
    const elapsed = (): string => `${Math.round(performance.now() - startedAt)} ms`;
    for (const line of requestLines(url, init)) write(`> ${line}`.trimEnd());
    try {
      const response = await send(url, init);
      for (const line of [`${statusLine(response)} in ${elapsed()}`, ...headerLines(response.headers as Headers), ""]) {
        write(`< ${line}`.trimEnd());
      }
      return response;
    } catch (error) {
      write(`* no response in ${elapsed()}: ${reasons(error).join(": ")}`);
      throw error;
    }
  };
}

/** A request as HTTP has it, with the whole URL. */
export function requestLines(url: string, { method, headers, body }: FetchInit): string[] {
  const content = body === null ? [] : [body];
  return [`${method} ${url}`, ...headerLines(Object.entries(headers)), "", ...content];
}

export function statusLine({ status, statusText = "" }: FetchResponse & { statusText?: string }): string {
  return `HTTP ${status} ${statusText}`.trimEnd();
}

export function headerLines(headers: Iterable<[name: string, value: string]>): string[] {
  return Array.from(headers, ([name, value]) => `${name}: ${value}`);
}

/** The message of an error and of its causes, which may be a circle. */
function reasons(error: unknown): string[] {
  const chain = new Set<unknown>();
  for (let next = error; next instanceof Error && !chain.has(next); next = next.cause) chain.add(next);
  return Array.from(chain, (each) => (each as Error).message);
}
