/** Whether requests should be sent here. */
export interface Readiness {
  /** Why not, or `undefined`. */
  notReady(): Promise<string | undefined>;
  /** From now on not: the service is going to stop. */
  end(): void;
}

/** How long an answer of the store holds: many may ask, and the store has other things to do. */
const freshMs = 1_000;

/** @param ping rejects when the store cannot answer */
export function createReadiness(ping: () => Promise<void>): Readiness {
  let isEnding = false;
  let last: { answer: Promise<string | undefined>; staleAt: number } | undefined;

  async function askStore(): Promise<string | undefined> {
    try {
      await ping();
      return undefined;
    } catch {
      return "the store cannot answer";
    } finally {
      if (last !== undefined) last.staleAt = performance.now() + freshMs;
    }
  }

  return {
    async notReady() {
      if (isEnding) return "stopping";
      // While the store is being asked everybody waits for that answer.
      if (last === undefined || performance.now() >= last.staleAt) last = { answer: askStore(), staleAt: Infinity };
      const answer = await last.answer;
      return isEnding ? "stopping" : answer;
    },
    end() {
      isEnding = true;
    },
  };
}
