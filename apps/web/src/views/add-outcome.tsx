import type { ComponentChildren } from "preact";
import { draft } from "../draft.ts";
import { words } from "../language.ts";
import { attemptWait, failure, type Failure } from "../sending.ts";
import { replaceKey } from "../session.ts";
import { CopyButton } from "./copy-button.tsx";
import { Countdown } from "./problem-box.tsx";

/** What happens to the animal in the form, what happened to it, and what to do. */
export function AddOutcome() {
  return (
    <div class="add-outcome" aria-live="polite">
      <Progress />
      <Notice />
    </div>
  );
}

/** While the animal is being added: why it takes time. */
function Progress() {
  const { problems, list } = words.value;
  const waiting = attemptWait.value;
  if (!waiting) return null;
  return (
    <>
      <p>{problems[waiting.problem.kind].what}</p>
      <Countdown until={waiting.until} text={list.retrying} />
    </>
  );
}

function Notice() {
  const { add: text } = words.value;
  const { state, notice } = draft.value;
  if (state === "sending") return null;
  const failed = failure.value;
  if (state === "unheard") {
    return (
      <Box failed={failed}>
        <p>{text.safe}</p>
      </Box>
    );
  }
  if (failed) {
    return (
      <Box failed={failed}>
        <p>{text.notAdded}</p>
      </Box>
    );
  }
  return notice ? <p class="warning">{text.notices[notice]}</p> : null;
}

function Box({ failed = {}, children }: { failed: Failure | undefined; children: ComponentChildren }) {
  const { add: text, problems, actions, requestId } = words.value;
  const { problem, message, retryAt } = failed;
  const isSilent = !problem || ["unreachable", "slow", "broken"].includes(problem.kind);
  const what = problem && !isSilent ? `${problems[problem.kind].what}.` : text.unheard;
  const needsKey = problem?.kind === "keyRejected" || problem?.kind === "notAllowed";
  return (
    <section class="problem">
      <h3>{what}</h3>
      {message !== undefined && <p dir="auto">{message}</p>}
      {children}
      {retryAt !== undefined && <Countdown until={retryAt} text={words.value.nextAttempt} />}
      {needsKey && (
        <button type="button" onClick={replaceKey}>
          {actions.useAnotherKey}
        </button>
      )}
      {problem?.requestId !== undefined && (
        <p class="meta">
          {requestId} <code>{problem.requestId}</code> <CopyButton text={problem.requestId} />
        </p>
      )}
    </section>
  );
}
