import { computed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useJustReplaced } from "../browser/repeated-presses.ts";
import { catalogue, loadNow, retryAt } from "../catalogue/session-catalogue.ts";
import { formatNumber, words } from "../language/language.ts";
import { needsKey, type Problem, type Wait } from "../language/problem.ts";
import { canUndo, pause, resume, undo } from "../outbox/outbox.ts";
import { report, type Report } from "../outbox/report.ts";
import { unsettled, waiting } from "../outbox/writes.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { Icon } from "../parts/icons.tsx";
import { Link } from "../parts/link.tsx";
import { LoadAgain } from "../parts/load-again.tsx";
import { RequestId } from "../parts/request-id.tsx";
import { Spoken } from "../parts/spoken.tsx";
import { nameInText } from "../pets/names.ts";
import { trouble } from "../session/no-response.ts";
import { replaceKey } from "../session/session.ts";
import { focusPet } from "./focus.ts";
import { Choices, explain, NotSaved } from "./not-saved.tsx";

/**
 * How long the report of a success stays, in milliseconds: long enough to read it and to reach its
 * link.
 */
const reportMs = 15_000;

/**
 * The same for several animals, in milliseconds: whoever added the wrong sheet finds out when
 * looking at the list.
 */
const reportOfSeveralMs = 120_000;

/** Why the outbox or the list waits, and until when. An empty list says so itself. */
const interruption = computed((): Wait | undefined => {
  if (pause.value) return pause.value;
  const problem = catalogue.value?.problem.value;
  if (!problem) return trouble.value;
  return catalogue.value?.pets.value.length === 0 ? undefined : { problem, until: retryAt.value };
});

const kindInTheWay = computed(() => interruption.value?.problem.kind);

/**
 * Stays the same while the same is in the way: it is spoken once, however often it is tried again.
 */
const obstacle = computed(() => ({ kind: kindInTheWay.value }));

interface MessagesProps {
  /**
   * While a dialog shows them. The element stays, because screen readers speak what comes into it.
   */
  isElsewhere?: boolean;
  /** What to show if there is no message. */
  children?: ComponentChildren;
}

/** The place of all messages. Nothing else is ever there, so that they cover nothing. */
export function Messages({ isElsewhere = false, children }: MessagesProps) {
  const alarm = isElsewhere ? undefined : currentAlarm();
  const success = isElsewhere ? undefined : report.value;
  const count = waiting.value.length;
  const isSending = !alarm && !isElsewhere && count > 1;
  return (
    <div class="messages">
      <Message {...alarm} icon="alert" isUrgent />
      {/* Not spoken: it changes with each response. */}
      {isSending && <p class="message">{words.value.outbox.sending(formatNumber(count))}</p>}
      <Reported value={success} />
      {!isElsewhere && !alarm && !isSending && !success && children && (
        <div class="message">{children}</div>
      )}
    </div>
  );
}

interface MessageProps {
  icon: "alert" | "check";
  /** What is spoken; empty for no message. */
  text?: string | undefined;
  /** What tells it apart from others with the same text. */
  of?: unknown;
  /** What else there is to read. */
  details?: ComponentChildren;
  actions?: ComponentChildren;
  isUrgent?: boolean;
}

/** A message, or the place where one will be. */
function Message({ icon, text = "", details, actions, ...rest }: MessageProps) {
  return (
    <div class={text === "" ? "no-message" : `message is-${icon}`}>
      {text !== "" && <Icon name={icon} />}
      <div class="message-text">
        <Spoken text={text} {...rest} />
        {details}
      </div>
      {actions && <div class="message-actions">{actions}</div>}
    </div>
  );
}

type Alarm = Pick<MessageProps, "of" | "text" | "details" | "actions">;

/** What is not as it should be; the worst of it if there is more. */
function currentAlarm(): Alarm | undefined {
  const [first, second] = unsettled.value;
  if (interruption.value) return interrupted(interruption.value);
  if (second) return { text: words.value.outbox.someNotSaved, actions: <NotSaved /> };
  return (
    first && {
      of: first.key,
      text: explain(first),
      details: first.problem && <RequestId of={first.problem} />,
      actions: <Choices key={first.key} of={first} />,
    }
  );
}

/** What is in the way, and what waits because of it. */
function interrupted({ problem, until }: Wait): Alarm {
  const { what, todo } = words.value.problems[problem.kind];
  return {
    of: obstacle.value,
    text: words.value.problem(what, todo),
    details: (
      <>
        {until !== undefined && <Countdown until={until} />}
        <RequestId of={problem} />
      </>
    ),
    actions: (
      <>
        <NotSaved />
        <TryAgain after={problem} />
      </>
    ),
  };
}

function TryAgain({ after: problem }: { after: Problem }) {
  const { actions } = words.value;
  const isPaused = useJustReplaced(problem.kind);
  const isKeyProblem = needsKey(problem);

  function retry(): void {
    if (isPaused) return;
    if (isKeyProblem) return replaceKey();
    resume();
    loadNow();
  }

  return (
    <>
      {(pause.value ?? catalogue.value?.problem.value) && (
        <button type="button" aria-disabled={isPaused} onClick={retry}>
          {isKeyProblem ? actions.useAnotherKey : actions.retry}
        </button>
      )}
      <LoadAgain of={problem} isPaused={isPaused} />
    </>
  );
}

/** Reports a success. It never takes the focus, and stays while it has the focus or the pointer. */
function Reported({ value }: { value: Report | undefined }) {
  const hasPointer = useSignal(false);
  const hasFocus = useSignal(false);
  const isHeld = hasPointer.value || hasFocus.value;
  useEffect(() => {
    // what is gone does not say that it was left
    if (!value) hasPointer.value = hasFocus.value = false;
    if (isHeld || !value) return undefined;
    const timer = setTimeout(dismiss, "several" in value ? reportOfSeveralMs : reportMs);
    return () => clearTimeout(timer);
  }, [value, isHeld]);
  return (
    <div
      onPointerEnter={() => (hasPointer.value = true)}
      onPointerLeave={() => (hasPointer.value = false)}
      onFocusIn={() => (hasFocus.value = true)}
      onFocusOut={() => (hasFocus.value = false)}
    >
      <Message
        of={value}
        icon="check"
        text={value && sentenceOf(value)}
        actions={value && <ReportActions of={value} />}
      />
    </div>
  );
}

function dismiss(): void {
  report.value = undefined;
}

/** What the service has stored. */
function sentenceOf(value: Report): string {
  const { toasts, statuses, paste, add } = words.value;
  if ("several" in value) {
    const { added, changed, removed, notSent } = value.several;
    return [
      (added.length + changed.length > 0 || removed.length === 0) &&
        paste.stored(formatNumber(added.length), formatNumber(changed.length)),
      removed.length > 0 && paste.removed(formatNumber(removed.length)),
      notSent > 0 && paste.stopped(formatNumber(notSent)),
    ]
      .filter(Boolean)
      .join(" ");
  }
  if ("added" in value) return add.added(nameInText(value.added), value.added.id);
  if ("removed" in value) return toasts.isGone(nameInText(value.removed));
  const { change, after } = value;
  return change.changes.status
    ? toasts.isNow(nameInText(after), statuses[after.status])
    : toasts.isSaved(nameInText(after));
}

/** What can be done about what was stored. */
function ReportActions({ of: value }: { of: Report }) {
  const { toasts, add, pet } = words.value;
  const isPaused = useJustReplaced(value);

  function takeBack(): void {
    if (isPaused) return;
    undo(value);
    focusPet("after" in value ? value.after.id : undefined); // the button becomes the Undo of that
  }

  return (
    <>
      {"added" in value && (
        <>
          <Link
            class="button"
            to={{ tab: value.added.status, search: "", category: undefined, pet: value.added.id }}
          >
            #{value.added.id}
          </Link>
          <CopyButton text={value.added.id} label={pet.copyId} />
        </>
      )}
      {canUndo(value) && (
        <button type="button" aria-disabled={isPaused} onClick={takeBack}>
          {toasts.undo}
        </button>
      )}
      <button type="button" class="quiet icon-only" onClick={dismiss} aria-label={add.dismiss}>
        <Icon name="close" />
      </button>
    </>
  );
}
