import { useEffect, useRef } from "preact/hooks";
import { replaceKey } from "../session/session.ts";
import { Countdown } from "../shared/countdown.tsx";
import { words } from "../shared/language.ts";
import { needsKey } from "../shared/problem.ts";
import { RequestId } from "../shared/request-id.tsx";
import { draft, type Draft } from "./draft.ts";
import { attemptWait, failure, type Failure } from "./sending.ts";

/** What is happening or has happened to the animal of the form, and what to do. */
export function AddOutcome() {
  const outcome = useRef<HTMLDivElement>(null);
  const { state, notice } = draft.value;
  useEffect(() => outcome.current?.scrollIntoView({ block: "nearest" }), [state, notice, attemptWait.value]);
  return (
    <div ref={outcome} class="add-outcome" aria-live="polite">
      {state === "sending" ? <Progress /> : <Result />}
    </div>
  );
}

/** Why the service has not accepted the animal yet. */
function Progress() {
  const { problems, nextAttempt } = words.value;
  const waiting = attemptWait.value;
  if (!waiting) return null;
  return (
    <>
      <p>{problems[waiting.problem.kind].what}</p>
      <Countdown until={waiting.until} text={nextAttempt} />
    </>
  );
}

function Result() {
  const { actions, add: text } = words.value;
  const { state, notice } = draft.value;
  const failed = failure.value;
  const isUnconfirmed = state === "unconfirmed";
  if (!failed && !isUnconfirmed) return notice ? <p class="notice warning">{text.notices[notice]}</p> : null;
  const { problem, message, retryAt } = failed ?? {};
  const isKeyProblem = problem !== undefined && needsKey(problem);
  return (
    <section class={`notice ${isUnconfirmed ? "warning" : "problem"}`}>
      <p>
        <strong>{headingOf(failed, state)}</strong>
      </p>
      {message !== undefined && <p>{message}</p>}
      <p>
        {isUnconfirmed ? text.mayBeAdded : text.notAdded}
        {isUnconfirmed && !isKeyProblem && ` ${text.safe}`}
      </p>
      {retryAt !== undefined && <Countdown until={retryAt} text={text.retryIn} />}
      {isKeyProblem && (
        <p class="problem-actions">
          <button type="button" onClick={replaceKey}>
            {actions.useAnotherKey}
          </button>
        </p>
      )}
      {problem && <RequestId of={problem} />}
    </section>
  );
}

function headingOf(failed: Failure | undefined, state: Draft["state"]): string {
  const { add: text, problems, account } = words.value;
  if (!failed) return text.noResponse; // after a reload
  if (!failed.problem) return state === "unconfirmed" ? text.stopped : text.stoppedInTime;
  const { kind } = failed.problem;
  if (kind === "unreachable" || kind === "slow") return text.noResponse;
  return kind === "notAllowed" ? account.access(false) : problems[kind].what;
}
