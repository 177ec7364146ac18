import { useEffect, useRef } from "preact/hooks";
import { ProblemBox } from "../session/problem-box.tsx";
import { Icon } from "../shared/icons.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import { addAll, outcome } from "./batch.ts";

/** How the last run ended. Gets the focus, because the button that began it may be gone. */
export function BatchOutcome() {
  const { paste, statuses } = words.value;
  const summary = useRef<HTMLElement>(null);
  const ended = outcome.value;
  useEffect(() => {
    if (ended) summary.current?.focus();
  }, [ended]);
  // Shown once.
  useEffect(() => () => void (outcome.value = undefined), []);
  if (!ended) return null;
  const { left } = ended;
  return (
    <section ref={summary} class="fields" tabIndex={-1} aria-labelledby="paste-outcome">
      <div class={`notice ${ended.added > 0 ? "success" : ""}`}>
        <p id="paste-outcome">
          {ended.added > 0 && <Icon name="check" />}
          {ended.isInterrupted && `${paste.interrupted} `}
          {ended.added > 0 ? paste.added(formatNumber(ended.added)) : paste.noneAdded}
          {left > 0 && ` ${paste.notAdded(formatNumber(left))}`}
          {ended.isInterrupted && left > 0 && ` ${paste.again}`}
        </p>
        {ended.firstIds.size > 0 && (
          <p class="outcome-links">
            {[...ended.firstIds].map(([status, id]) => (
              <Link key={status} to={{ tab: status, pet: id }} isReplacing>
                {paste.show(statuses[status])}
              </Link>
            ))}
          </p>
        )}
      </div>
      {ended.problem && <ProblemBox problem={ended.problem} retry={() => void addAll()} isBar />}
    </section>
  );
}
