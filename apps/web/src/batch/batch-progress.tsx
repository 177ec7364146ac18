import { Countdown } from "../shared/countdown.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { nextWait, run } from "./batch.ts";

/** How far the animals have been sent, and what the next attempt waits for. */
export function BatchProgress() {
  const { paste, problems, nextAttempt } = words.value;
  const current = run.value;
  const wait = nextWait.value;
  const total = formatNumber(current?.total ?? 0);
  return (
    <div class="batch-progress">
      <p role="status">{current && (wait ? problems[wait.problem.kind].what : paste.adding(total))}</p>
      {current && (
        <>
          <progress
            aria-label={paste.adding(total)}
            max={current.total || 1}
            value={current.added + current.rejected}
          />
          <p class="meta">{paste.progress(formatNumber(current.added), total)}</p>
          {wait && <Countdown until={wait.until} text={nextAttempt} />}
        </>
      )}
    </div>
  );
}
