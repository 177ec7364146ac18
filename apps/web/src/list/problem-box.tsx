import { replaceKey } from "../session/session.ts";
import { Countdown } from "../shared/countdown.tsx";
import { words } from "../shared/language.ts";
import { LoadAgain } from "../shared/load-again.tsx";
import { needsKey, type Problem } from "../shared/problem.ts";
import { RequestId } from "../shared/request-id.tsx";
import { Spoken } from "../shared/spoken.tsx";
import { loadNow, retryAt } from "./current.ts";

/** Why there is no list: what happened, what to do, and the request id. */
export function ProblemBox({ of: problem }: { of: Problem }) {
  const { problems, actions } = words.value;
  const { what, todo } = problems[problem.kind];
  const isKeyProblem = needsKey(problem);
  return (
    <section class="problem-page">
      <div class="problem-text">
        <Spoken text={words.value.problem(what, todo)} isUrgent class="problem-sentence" />
        {retryAt.value !== undefined && <Countdown until={retryAt.value} />}
        <RequestId of={problem} />
      </div>
      <p class="problem-actions">
        <button type="button" class="primary" onClick={isKeyProblem ? replaceKey : loadNow}>
          {isKeyProblem ? actions.useAnotherKey : actions.retry}
        </button>
        <LoadAgain of={problem} />
      </p>
    </section>
  );
}
