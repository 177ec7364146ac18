import { StoreUnavailableError } from "@petstore/service";

/** Tracks whether this process is ready for requests. It is not ready while `ping` rejects. */
export function createReadiness(ping: () => Promise<void>) {
  let isEnding = false;
  return {
    /** Why the process is not ready, or `undefined` if it is. */
    async notReady(): Promise<string | undefined> {
      try {
        if (!isEnding) await ping();
        return isEnding ? "stopping" : undefined;
      } catch (error) {
        if (isEnding) return "stopping";
        const isRejecting =
          error instanceof StoreUnavailableError && ["rejected", "busy"].includes(error.reason);
        return isRejecting ? "animals cannot be stored" : "the store does not respond";
      }
    },
    /** From now on the process is not ready, because it is stopping. */
    end(): void {
      isEnding = true;
    },
  };
}
