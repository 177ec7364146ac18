/** How long a response of the store holds: many may ask, and the store has other things to do. */
const freshMs = 1_000;

/** Whether requests should be sent here: not while `ping` rejects. */
export function createReadiness(ping: () => Promise<void>) {
  let isEnding = false;
  let answer: Promise<string | undefined> | undefined;
  let staleAt = 0;

  async function askStore(): Promise<string | undefined> {
    staleAt = Infinity; // while the store is being asked everybody waits for that response
    try {
      await ping();
      return undefined;
    } catch {
      return "the store cannot answer";
    } finally {
      staleAt = performance.now() + freshMs;
    }
  }

  return {
    /** Why not, or `undefined`. */
    async notReady(): Promise<string | undefined> {
      if (isEnding) return "stopping";
      if (performance.now() >= staleAt) answer = askStore();
      const problem = await answer;
      return isEnding ? "stopping" : problem;
    },
    /** From now on not: the service is going to stop. */
    end(): void {
      isEnding = true;
    },
  };
}
