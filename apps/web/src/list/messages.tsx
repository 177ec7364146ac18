import { computed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { pause, resume, undo } from "../outbox/outbox.ts";
import { report, type Counts, type Report } from "../outbox/report.ts";
import { unsettled, waiting, type Change } from "../outbox/writes.ts";
import { trouble } from "../session/connection.ts";
import { replaceKey } from "../session/session.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { Countdown } from "../shared/countdown.tsx";
import { Icon } from "../shared/icons.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import { LoadAgain } from "../shared/load-again.tsx";
import { needsKey, type Wait } from "../shared/problem.ts";
import { RequestId } from "../shared/request-id.tsx";
import { useRest } from "../shared/rest.ts";
import type { Pet } from "../shared/rules.ts";
import { catalogue, loadNow, retryAt } from "./current.ts";
import { Choices, Explanation, NotSaved } from "./not-saved.tsx";
import { PetName } from "./pet-row.tsx";

/** How long the report of a success stays, in milliseconds: long enough to read it and to reach its link. */
const reportMs = 15_000;

/** Why the outbox or the list waits, and until when. An empty list says so itself. */
const interruption = computed((): Wait | undefined => {
  if (pause.value) return pause.value;
  const problem = catalogue.value?.problem.value;
  if (!problem) return trouble.value;
  return catalogue.value?.pets.value.length === 0 ? undefined : { problem, until: retryAt.value };
});

interface MessagesProps {
  /** While a dialog shows them. The element stays, because screen readers report what comes into it. */
  isEmpty?: boolean;
  /** What to show if there is no message. */
  children?: ComponentChildren;
}

/** The place of all messages. Nothing else is ever there, so that they cover nothing. */
export function Messages({ isEmpty = false, children }: MessagesProps) {
  const alarm = isEmpty ? undefined : currentAlarm();
  const success = isEmpty ? undefined : report.value;
  return (
    <div class="messages" role="status">
      {alarm && <div class="message">{alarm}</div>}
      {success && <Reported value={success} />}
      {!isEmpty && !alarm && !success && children && <div class="message">{children}</div>}
    </div>
  );
}

/** What is not as it should be; the worst of it if there is more. */
function currentAlarm(): ComponentChildren {
  const count = waiting.value.length;
  if (interruption.value) return <Interruption {...interruption.value} />;
  if (unsettled.value.length > 0) return <Unsettled />;
  return count > 1 && <p>{words.value.outbox.sending(formatNumber(count))}</p>;
}

/** What is in the way, and what waits because of it. */
function Interruption({ problem, until }: Wait) {
  const { problems, actions, outbox } = words.value;
  const isResting = useRest(problem.kind);
  const isKeyProblem = needsKey(problem);
  const count = waiting.value.length;
  const { what, todo } = problems[problem.kind];

  function retry(): void {
    if (isResting) return;
    if (isKeyProblem) return replaceKey();
    resume();
    loadNow();
  }

  return (
    <>
      <Icon name="alert" />
      <div class="message-text" role="alert">
        <h2>{what}</h2> <p>{count > 0 ? outbox.sending(formatNumber(count)) : todo}</p>
        {until !== undefined && <Countdown until={until} />}
        <RequestId of={problem} />
      </div>
      <NotSaved />
      {(pause.value ?? catalogue.value?.problem.value) && (
        <button type="button" aria-disabled={isResting} onClick={retry}>
          {isKeyProblem ? actions.useAnotherKey : actions.retry}
        </button>
      )}
      <LoadAgain of={problem} isResting={isResting} />
    </>
  );
}

function Unsettled() {
  const [first, second] = unsettled.value;
  if (!first) return null;
  return (
    <>
      <Icon name="alert" />
      <div class="message-text" role="alert">
        {second ? words.value.outbox.someNotSaved : <Explanation of={first} />}
      </div>
      {second ? <NotSaved /> : <Choices key={first.key} of={first} />}
    </>
  );
}

/** Reports a success. It never takes the focus, and stays while it has the focus or the pointer. */
function Reported({ value }: { value: Report }) {
  const hasPointer = useSignal(false);
  const hasFocus = useSignal(false);
  const isHeld = hasPointer.value || hasFocus.value;
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(dismiss, reportMs);
    return () => clearTimeout(timer);
  }, [value, isHeld]);
  return (
    <div
      class="message report"
      onPointerEnter={() => (hasPointer.value = true)}
      onPointerLeave={() => (hasPointer.value = false)}
      onFocusIn={() => (hasFocus.value = true)}
      onFocusOut={() => (hasFocus.value = false)}
    >
      <Icon name="check" />
      {"added" in value && <Added pet={value.added} />}
      {"several" in value && <Several {...value.several} />}
      {"changed" in value && <Changed change={value.changed} after={value.after} />}
      {"removed" in value && (
        <p>
          <PetName of={value.removed} />
          {words.value.toasts.isGone}
        </p>
      )}
      <button type="button" class="quiet icon-only" onClick={dismiss} aria-label={words.value.add.dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function dismiss(): void {
  report.value = undefined;
}

function Changed({ change, after }: { change: Change; after: Pet }) {
  const { toasts, statuses } = words.value;
  const isResting = useRest(after);
  return (
    <>
      <p>
        <PetName of={after} />
        {change.changes.status ? toasts.isNow(statuses[after.status]) : toasts.isSaved}
      </p>
      <button type="button" aria-disabled={isResting} onClick={() => !isResting && undo(change, after)}>
        {toasts.undo}
      </button>
    </>
  );
}

/** How many animals were added and changed and, after a stop, how many were not even sent. */
function Several({ added, changed, notSent }: Counts) {
  const { paste } = words.value;
  return (
    <p>
      {paste.stored(formatNumber(added), formatNumber(changed))}
      {notSent > 0 && ` ${paste.stopped(formatNumber(notSent))}`}
    </p>
  );
}

function Added({ pet: { id, name, status } }: { pet: Pet }) {
  const { add, pet } = words.value;
  const { before, between, after } = add.added;
  return (
    <>
      <p>
        {before}
        <PetName of={{ name }} />
        {between}
        <Link to={{ tab: status, search: "", category: undefined, pet: id }}>#{id}</Link>
        {after}
      </p>
      <CopyButton text={id} label={pet.copyId} />
    </>
  );
}
