import type { PetstoreEvent } from "./events.ts";
import { environment, type Settings } from "./settings.ts";

/** The headers whose values are logged. Any other may be a secret of the user. */
const harmlessHeaders = /^(?:accept|content-|idempotency-key|location|retry-after|user-agent|x-request-id)/;

/**
 * Reports an event to the listener, and to standard error if `PETSTORE_LOG` asks for it.
 * @param headers the headers to log with it
 * @param clean removes the API key from a text
 */
export function emit(
  { onEvent }: Settings,
  event: PetstoreEvent,
  headers?: Headers,
  clean: (text: string) => string = String,
): void {
  quietly(() => onEvent(event));
  quietly(() => {
    if (isLogged()) log(event, headers, clean);
  });
}

/** An error of a listener or of logging, thrown now or later, must not affect the call. */
function quietly(work: () => unknown): void {
  new Promise((resolve) => resolve(work())).catch(() => {});
}

function log(event: PetstoreEvent, headers: Headers | undefined, clean: (text: string) => string): void {
  const shown: Record<string, string> = {};
  // Those of a custom `fetch` may have no `forEach`.
  headers?.forEach?.((value, name) => (shown[name] = harmlessHeaders.test(name) ? value : "***"));
  const { error } = event as { error?: unknown };
  // Before JSON escapes the texts.
  const cleanText = (_name: string, value: unknown): unknown => (typeof value === "string" ? clean(value) : value);
  // oxlint-disable-next-line no-console -- the purpose of PETSTORE_LOG
  console.error(
    "petstore",
    JSON.stringify({ ...event, error: error && `${error as Error}`, headers: headers && shown }, cleanText),
  );
}

/** Whether to log. Deno asks the user before a program reads the environment, so there this needs the permission. */
function isLogged(): boolean {
  const { Deno } = globalThis as { Deno?: { permissions: { querySync(of: object): { state: string } } } };
  const query = { name: "env", variable: "PETSTORE_LOG" };
  return (!Deno || Deno.permissions.querySync(query).state === "granted") && environment(query.variable) === "debug";
}
