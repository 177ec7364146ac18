import { fieldNames, type FieldName } from "@petstore/contract/fields";
import { signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { close } from "../browser/address.ts";
import { words } from "../language/language.ts";
import { addButtonId } from "../list/header.tsx";
import { Messages } from "../list/messages.tsx";
import { draft, isBlank } from "../outbox/draft.ts";
import { put } from "../outbox/outbox.ts";
import { Checkbox } from "../parts/checkbox.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Link } from "../parts/link.tsx";
import { PetInputs } from "../parts/pet-inputs.tsx";
import { Spoken } from "../parts/spoken.tsx";
import { blankFields } from "../pets/pet-fields.ts";
import { findProblems, toValues } from "../pets/rules.ts";
import { canAdd, canRemove, replaceKey } from "../session/session.ts";
import { loadSeveral, several } from "./load.ts";

/** The dialog for new animals: one, or several. */
export function AddDialog({ tab }: { tab: "one" | "several" }) {
  const { account, add: text, actions } = words.value;
  // After the dialog, which returns the focus to the element that had it. There is none if a link
  // opened the form.
  useEffect(() => () => queueMicrotask(() => document.getElementById(addButtonId)?.focus()), []);
  if (canAdd.value === false) {
    return (
      <Dialog title={actions.add}>
        <p>
          {account.access(false, canRemove.value)} {text.readOnlyAdvice}
        </p>
        <div class="dialog-actions">
          <button type="button" class="primary" onClick={replaceKey}>
            {actions.useAnotherKey}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={actions.add} isWide={tab === "several"}>
      <nav class="tabs dialog-tabs" aria-label={actions.add}>
        <Link to={{ add: "one" }} isCurrent={tab === "one"} isReplacing>
          {text.one}
        </Link>
        <Link to={{ add: "several" }} isCurrent={tab === "several"} isReplacing>
          {text.several}
        </Link>
      </nav>
      <Messages />
      {tab === "one" ? <AddOne /> : <Several />}
    </Dialog>
  );
}

/** The form for several animals, or that it is being loaded. */
function Several() {
  const { actions, add } = words.value;
  const form = several.value;
  useEffect(() => void loadSeveral(), []);
  if (form !== undefined && form !== "failed") return <form.AddSeveral />;
  return (
    <div class="fields">
      <Spoken text={form === "failed" ? add.notLoaded : actions.loading} />
      {form === "failed" && (
        <button type="button" onClick={() => location.reload()}>
          {actions.loadAgain}
        </button>
      )}
    </div>
  );
}

/** Whether the form stays open for another animal. */
const addsAnother = signal(false);

/** The form for one animal. */
function AddOne() {
  const { add: text, actions } = words.value;
  const fields = draft.value;
  const problems = useComputed(() => findProblems(draft.value)).value;
  /**
   * The fields that the user has left once. Before that, a problem may only mean that the user is
   * still typing.
   */
  const left = useSignal<readonly FieldName[]>([]);
  const isRestored = useSignal(!isBlank(draft.peek()));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focus("[name=name]"), []);

  function focus(selector: string): void {
    form.current?.querySelector<HTMLElement>(selector)?.focus();
  }

  function begin(next: typeof fields): void {
    focus("[name=name]"); // the field that is left now is still filled in
    draft.value = next;
    left.value = [];
    isRestored.value = false;
  }

  function add(event: Event): void {
    event.preventDefault();
    const entered = draft.peek(); // a second click in the same moment finds the next draft
    const found = findProblems(entered);
    const invalid = fieldNames.find((field) => found[field]);
    left.value = fieldNames;
    if (invalid) return focus(`[name=${invalid}]`);
    put({ add: toValues(entered) });
    const { categoryId, status } = entered;
    begin(addsAnother.peek() ? { ...blankFields, categoryId, status } : blankFields);
    if (!addsAnother.peek()) close();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }

  return (
    <form
      ref={form}
      class="fields"
      onSubmit={add}
      onKeyDown={onKeyDown}
      aria-label={actions.add}
      noValidate
    >
      {isRestored.value && <p class="field-hint">{text.restored}</p>}
      <PetInputs
        values={fields}
        problems={Object.fromEntries(left.value.map((field) => [field, problems[field]]))}
        isNew
        onChange={(change) => (draft.value = { ...draft.peek(), ...change })}
        onLeave={(field) => (left.value = [...left.value, field])}
      />
      <Checkbox
        label={text.another}
        isChecked={addsAnother.value}
        onChange={(isChecked) => (addsAnother.value = isChecked)}
      />
      <div class="dialog-actions">
        {!isBlank(fields) && (
          <button type="button" class="quiet" onClick={() => begin(blankFields)}>
            {text.discard}
          </button>
        )}
        <button type="submit" class="primary">
          {text.submit}
        </button>
      </div>
    </form>
  );
}
