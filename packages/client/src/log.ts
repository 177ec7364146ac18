import type { PetstoreEvent } from "./events.ts";
import { environment, type Settings } from "./resolve-options.ts";

/** Reports an event to the listener, and to standard error if `PETSTORE_LOG` asks for it. */
export function emit({ onEvent }: Settings, event: PetstoreEvent): void {
  quietly(() => onEvent(event));
  quietly(() => {
    const { error } = event as { error?: unknown };
    // Not on Deno, which asks the user before a program reads the environment.
    if ("Deno" in globalThis || environment("PETSTORE_LOG") !== "debug") return;
    // oxlint-disable-next-line no-console -- the purpose of PETSTORE_LOG
    console.error("petstore", JSON.stringify({ ...event, error: error && `${error as Error}` }));
  });
}

/**
 * Ignores errors of a listener or of logging, thrown now or later: they must not affect the call.
 */
function quietly(work: () => unknown): void {
  new Promise((resolve) => resolve(work())).catch(() => {});
}
