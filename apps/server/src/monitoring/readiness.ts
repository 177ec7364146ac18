import { StoreUnavailableError } from "@petstore/service";

/** How long a result is reused, so that frequent probes do not load the store. */
const freshMs = 1_000;

/** Tracks whether this process is ready for requests. It is not ready while `ping` rejects. */
export function createReadiness(ping: () => Promise<void>) {
  let isEnding = false;
  let problem: Promise<string | undefined> | undefined;
  let staleAt = 0;

  async function checkStore(): Promise<string | undefined> {
    staleAt = Infinity; // until then all callers wait for this check
    try {
      await ping();
      return undefined;
    } catch (error) {
      const isRejecting = error instanceof StoreUnavailableError && ["rejected", "busy"].includes(error.reason);
      return isRejecting ? "animals cannot be stored" : "the store does not respond";
    } finally {
      staleAt = performance.now() + freshMs;
    }
  }

  return {
    /** Why the process is not ready, or `undefined` if it is. */
    async notReady(): Promise<string | undefined> {
      if (isEnding) return "stopping";
      if (performance.now() >= staleAt) problem = checkStore();
      const reason = await problem;
      return isEnding ? "stopping" : reason;
    },
    /** From now on the process is not ready, because it is stopping. */
    end(): void {
      isEnding = true;
    },
  };
}
