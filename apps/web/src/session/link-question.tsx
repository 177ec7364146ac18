import { useSignal } from "@preact/signals";
import { Dialog } from "../shared/dialog.tsx";
import { words } from "../shared/language.ts";
import { toProblem, type Problem } from "../shared/problem.ts";
import { RequestId } from "../shared/request-id.tsx";
import { acceptKey, declineKey, endOf, session } from "./session.ts";

/** Asks whether the key of a link may replace the one in use. */
export function LinkQuestion({ offered }: { offered: string }) {
  const { link: text, signIn, problems } = words.value;
  const isChecking = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);

  async function accept(): Promise<void> {
    if (isChecking.value) return;
    isChecking.value = true;
    problem.value = undefined;
    try {
      await acceptKey();
    } catch (error) {
      const found = toProblem(error);
      problem.value = found.kind === "keyRejected" ? { ...found, kind: "keyUnknown" } : found;
    }
    isChecking.value = false;
  }

  const message = problem.value && problems[problem.value.kind];
  return (
    <Dialog title={text.title} onClose={declineKey}>
      <div class="fields">
        <dl class="pet-details">
          <dt>{text.inUse}</dt>
          <dd>
            <code>{session.value?.keyEnd}</code>
          </dd>
          <dt>{text.offered}</dt>
          <dd>
            <code>{endOf(offered)}</code>
          </dd>
        </dl>
        <p class="field-hint">{text.advice}</p>
        <div class="field-problem" role="alert">
          {message && `${message.what}. ${problem.value?.isTemporary === true ? signIn.later : message.todo}`}
          {problem.value && <RequestId of={problem.value} />}
        </div>
      </div>
      <div class="dialog-actions">
        <button type="button" onClick={declineKey}>
          {text.decline}
        </button>
        <button type="button" class="primary" aria-disabled={isChecking.value} onClick={accept}>
          {isChecking.value ? signIn.checking : text.accept}
        </button>
      </div>
    </Dialog>
  );
}
