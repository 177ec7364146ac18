/** Whether requests should be sent here. */
export interface Readiness {
  /** Why not, or `undefined`. */
  notReady(): Promise<string | undefined>;
  /** From now on not: the service is going to stop. */
  end(): void;
}

/** How long an answer of the store holds: many may ask, and the store has other things to do. */
const freshMs = 1_000;

/** What the store was asked, and how long its answer holds. */
interface Question {
  answer: Promise<string | undefined>;
  staleAt: number;
}

/** @param ping rejects when the store cannot answer */
export function createReadiness(ping: () => Promise<void>): Readiness {
  let isEnding = false;
  let last: Question | undefined;

  function askStore(): Question {
    // While the store is being asked everybody waits for that answer.
    const question: Question = { answer: answerOf(ping), staleAt: Infinity };
    void question.answer.then(() => (question.staleAt = performance.now() + freshMs));
    return question;
  }

  return {
    async notReady() {
      if (isEnding) return "stopping";
      if (last === undefined || performance.now() >= last.staleAt) last = askStore();
      const answer = await last.answer;
      return isEnding ? "stopping" : answer;
    },
    end() {
      isEnding = true;
    },
  };
}

async function answerOf(ping: () => Promise<void>): Promise<string | undefined> {
  try {
    await ping();
    return undefined;
  } catch {
    return "the store cannot answer";
  }
}
