import { loadNow, retryAt } from "../catalogue/session-catalogue.ts";
import { words } from "../language/language.ts";
import { needsKey, type Problem } from "../language/problem.ts";
import { Countdown } from "../parts/countdown.tsx";
import { LoadAgain } from "../parts/load-again.tsx";
import { RequestId } from "../parts/request-id.tsx";
import { Spoken } from "../parts/spoken.tsx";
import { replaceKey } from "../session/session.ts";

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
