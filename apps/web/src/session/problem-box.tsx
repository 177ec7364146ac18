import { Countdown } from "../shared/countdown.tsx";
import { words } from "../shared/language.ts";
import { needsKey, type Problem } from "../shared/problem.ts";
import { RequestId } from "../shared/request-id.tsx";
import { replaceKey } from "./session.ts";

interface ProblemBoxProps {
  problem: Problem;
  /** When it is tried again, in milliseconds since 1970. */
  retryAt?: number | undefined;
  retry?: (() => void) | undefined;
}

/** What happened, what to do, and the request id. */
export function ProblemBox({ problem, retryAt, retry }: ProblemBoxProps) {
  const { problems, actions, nextAttempt } = words.value;
  const { what, todo } = problems[problem.kind];
  return (
    <section class="problem-page" role="alert">
      <div class="problem-text">
        <h2>{what}</h2>
        <p>{todo}</p>
        {retryAt !== undefined && <Countdown until={retryAt} text={nextAttempt} />}
        <RequestId of={problem} />
      </div>
      <p class="problem-actions">
        {needsKey(problem) && (
          <button type="button" class="primary" onClick={replaceKey}>
            {actions.useAnotherKey}
          </button>
        )}
        {!needsKey(problem) && retry && (
          <button type="button" class="primary" onClick={retry}>
            {actions.retry}
          </button>
        )}
      </p>
    </section>
  );
}
