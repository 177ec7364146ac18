import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CopyButton } from "../shared/copy-button.tsx";
import { Icon } from "../shared/icons.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import type { Problem } from "../shared/problem.ts";
import { useRest } from "../shared/rest.ts";
import type { Pet } from "./catalogue.ts";
import { send, undo } from "./change.ts";
import { PetName } from "./pet-row.tsx";
import { toast, type Change, type Toast } from "./toast.ts";

/** How long the report of a success stays, in milliseconds: long enough to read it and to reach its link. */
const toastMs = 15_000;

interface ToastViewProps {
  /** While a dialog shows it. The element stays, because screen readers report what comes into it. */
  isEmpty?: boolean;
}

export function ToastView({ isEmpty = false }: ToastViewProps) {
  const value = isEmpty ? undefined : toast.value;
  return (
    <div role="status" class="toasts">
      {value && <Shown value={value} />}
    </div>
  );
}

/**
 * Reports the outcome of a change or a form. It never takes the focus, and stays while it has the focus or the pointer. What is not done,
 * or may not be, stays until the user tries again or dismisses it.
 */
function Shown({ value }: { value: Toast }) {
  const hasPointer = useSignal(false);
  const hasFocus = useSignal(false);
  const isResting = useRest(value);
  const isHeld = "unchanged" in value || "failed" in value || hasPointer.value || hasFocus.value;
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(dismiss, toastMs);
    return () => clearTimeout(timer);
  }, [value, isHeld]);

  return (
    <div
      class="toast"
      onPointerEnter={() => (hasPointer.value = true)}
      onPointerLeave={() => (hasPointer.value = false)}
      onFocusIn={() => (hasFocus.value = true)}
      onFocusOut={() => (hasFocus.value = false)}
    >
      <Message of={value} isResting={isResting} />
      <button type="button" class="quiet" onClick={dismiss} aria-label={words.value.add.dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function dismiss(): void {
  toast.value = undefined;
}

function Message({ of, isResting }: { of: Toast; isResting: boolean }) {
  if ("added" in of) return <Added pet={of.added} />;
  if ("changed" in of) return <Changed change={of.changed} after={of.after} isResting={isResting} />;
  if ("overtaken" in of) return <Overtaken pet={of.overtaken} now={of.now} />;
  if ("unchanged" in of) return <Unchanged change={of.unchanged} problem={of.problem} isResting={isResting} />;
  return "failed" in of ? <Failed name={of.failed} /> : <Several {...of.several} />;
}

function Changed({ change, after, isResting }: { change: Change; after: Pet; isResting: boolean }) {
  const { toasts, statuses } = words.value;
  return (
    <>
      <p>
        <Icon name="check" /> <PetName of={after} />
        {change.changes.status ? toasts.isNow(statuses[after.status]) : toasts.isSaved}
      </p>
      <button
        type="button"
        aria-keyshortcuts="U"
        aria-disabled={isResting}
        title={toasts.undoTitle}
        onClick={() => !isResting && undo(change, after)}
      >
        {toasts.undo}
      </button>
    </>
  );
}

function Overtaken({ pet, now }: { pet: Pet; now: Pet | undefined }) {
  const { toasts, statuses } = words.value;
  return (
    <p class="alarm">
      <Icon name="alert" /> {toasts.overtaken} <PetName of={pet} />
      {now ? toasts.isNow(statuses[now.status]) : toasts.isGone}
    </p>
  );
}

function Unchanged({ change, problem, isResting }: { change: Change; problem: Problem; isResting: boolean }) {
  const { toasts, problems, actions } = words.value;
  const isUnconfirmed = problem.isTemporary && problem.kind !== "limited";
  return (
    <>
      <p class="alarm">
        <Icon name="alert" /> {problems[problem.kind].what}. <PetName of={change.pet} />
        {isUnconfirmed ? toasts.mayBeChanged : toasts.isUnchanged}
      </p>
      <button type="button" aria-disabled={isResting} onClick={() => !isResting && void send(change)}>
        {actions.retry}
      </button>
    </>
  );
}

function Several({ added, left }: { added: number; left: number }) {
  const { add, paste } = words.value;
  return (
    <p>
      {added > 0 ? paste.added(formatNumber(added)) : paste.noneAdded}
      {left > 0 && (
        <>
          {" "}
          {paste.notAdded(formatNumber(left))} <Link to={{ add: "several" }}>{add.openForm}</Link>
        </>
      )}
    </p>
  );
}

function Added({ pet: { id, name, status } }: { pet: Pet }) {
  const { add, pet } = words.value;
  const { before, between, after } = add.added;
  return (
    <>
      <p>
        <Icon name="check" /> {before}
        <PetName of={{ name }} />
        {between}
        <Link to={{ tab: status, search: "", category: undefined, pet: id }}>#{id}</Link>
        {after}
      </p>
      <CopyButton text={id} label={pet.copyId} />
    </>
  );
}

function Failed({ name }: { name: string }) {
  const { failed, openForm } = words.value.add;
  return (
    <p>
      {failed.before}
      <bdi>{name}</bdi>
      {failed.after} <Link to={{ add: "one" }}>{openForm}</Link>
    </p>
  );
}
