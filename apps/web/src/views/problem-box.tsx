import { words } from "../language.ts";
import type { Problem } from "../problem.ts";
import { replaceKey } from "../session.ts";
import { CopyButton } from "./copy-button.tsx";
import { Countdown } from "./countdown.tsx";

interface ProblemBoxProps {
  problem: Problem;
  /** When it is tried again, in milliseconds since 1970. */
  retryAt?: number | undefined;
  retry?: (() => void) | undefined;
}

/** What happened, what to do, and the request id. */
export function ProblemBox({ problem, retryAt, retry }: ProblemBoxProps) {
  const { problems, actions, requestId, nextAttempt } = words.value;
  const { what, todo } = problems[problem.kind];
  const needsKey = problem.kind === "keyRejected" || problem.kind === "notAllowed";
  return (
    <section class="problem" role="alert">
      <h2>{what}</h2>
      <p>{todo}</p>
      {retryAt !== undefined && <Countdown until={retryAt} text={nextAttempt} />}
      <p class="problem-actions">
        {needsKey && (
          <button type="button" class="primary" onClick={replaceKey}>
            {actions.useAnotherKey}
          </button>
        )}
        {!needsKey && retry && (
          <button type="button" onClick={retry}>
            {actions.retry}
          </button>
        )}
      </p>
      {problem.requestId !== undefined && (
        <p class="meta">
          {requestId} <code>{problem.requestId}</code> <CopyButton text={problem.requestId} />
        </p>
      )}
    </section>
  );
}
