import { words } from "../language.ts";
import type { Problem } from "../problem.ts";
import { replaceKey } from "../session.ts";
import { CopyButton } from "./copy-button.tsx";
import { Countdown } from "./countdown.tsx";
import { Icon } from "./icons.tsx";
import { ProblemPicture } from "./pictures.tsx";

interface ProblemBoxProps {
  problem: Problem;
  /** When it is tried again, in milliseconds since 1970. */
  retryAt?: number | undefined;
  retry?: (() => void) | undefined;
  /** Whether it stands over a list, which stays in use. */
  isBar?: boolean;
}

/** What happened, what to do, and the request id. */
export function ProblemBox({ problem, retryAt, retry, isBar = false }: ProblemBoxProps) {
  const { problems, actions, requestId, nextAttempt } = words.value;
  const { what, todo } = problems[problem.kind];
  const needsKey = problem.kind === "keyRejected" || problem.kind === "notAllowed";
  return (
    <section class={isBar ? "problem-bar" : "problem-page"} role="alert">
      {isBar ? <Icon name="alert" /> : <ProblemPicture />}
      <div class="problem-text">
        <h2>{what}</h2>
        <p>{todo}</p>
        {retryAt !== undefined && <Countdown until={retryAt} text={nextAttempt} />}
        {problem.requestId !== undefined && (
          <p class="request-id">
            {requestId} <code>{problem.requestId}</code> <CopyButton text={problem.requestId} />
          </p>
        )}
      </div>
      <p class="problem-actions">
        {needsKey && (
          <button type="button" class="primary" onClick={replaceKey}>
            {actions.useAnotherKey}
          </button>
        )}
        {!needsKey && retry && (
          <button type="button" class={isBar ? undefined : "primary"} onClick={retry}>
            {actions.retry}
          </button>
        )}
      </p>
    </section>
  );
}
