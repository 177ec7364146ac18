import { maxNameLength } from "@petstore/client";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CategoryField, Checkbox, StatusChoice, TextField } from "../shared/fields.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { lengthOf, toNewPet } from "../shared/rules.ts";
import { AddOutcome } from "./add-outcome.tsx";
import { discard, draft, edit, fieldProblems, isBlank, release } from "./draft.ts";
import { addsAnother, stop, submit } from "./sending.ts";

type Field = "name" | "categoryId";

/** The form for one animal. */
export function AddOne() {
  const { add: text, fields: labels, actions } = words.value;
  const { fields, key, state } = draft.value;
  const problems = fieldProblems.value;
  /** The fields that the user has left once. Before that, a problem may only mean that the user is still typing. */
  const left = useSignal<readonly Field[]>([]);
  const restoredKey = useSignal(isBlank(draft.peek()) ? undefined : draft.peek().key);
  const form = useRef<HTMLFormElement>(null);
  const isLocked = state !== "editing";

  useEffect(() => {
    left.value = [];
    focus("[name=name]");
  }, [key]);

  // The button that had the focus may have gone.
  useEffect(() => {
    if (document.activeElement === document.body) focus("[type=submit]");
  }, [state]);

  function focus(selector: string): void {
    form.current?.querySelector<HTMLElement>(selector)?.focus();
  }

  async function add(event: Event): Promise<void> {
    event.preventDefault();
    left.value = ["name", "categoryId"];
    const found = await submit();
    if (found.name) focus("[name=name]");
    else if (found.categoryId) focus("[name=categoryId]");
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }

  function propsOf(field: Field): { name: Field; value: string; isLocked: boolean; onChange: (value: string) => void } {
    return { name: field, value: fields[field], isLocked, onChange: (value) => edit({ [field]: value }) };
  }

  function problemOf<Kind extends string>(field: Field, kind: Kind | undefined, texts: Record<Kind, string>): string {
    return kind !== undefined && left.value.includes(field) ? texts[kind] : "";
  }

  function leave(field: Field): void {
    if (!left.value.includes(field)) left.value = [...left.value, field];
  }

  const nameLength = lengthOf(toNewPet(fields).name);
  const limit = formatNumber(maxNameLength);
  return (
    <form ref={form} class="fields" onSubmit={add} onKeyDown={onKeyDown} noValidate>
      {restoredKey.value === key && <p class="field-hint">{text.restored}</p>}
      <TextField
        {...propsOf("name")}
        label={labels.name}
        advice={text.nameLength(formatNumber(nameLength), limit)}
        isOver={nameLength > maxNameLength}
        problem={problemOf("name", problems.name, text.nameProblems(limit))}
        onLeave={() => leave("name")}
        isFirst
      />
      <CategoryField
        {...propsOf("categoryId")}
        problem={problemOf("categoryId", problems.categoryId, text.categoryProblems)}
        onLeave={() => leave("categoryId")}
      />
      <StatusChoice value={fields.status} isLocked={isLocked} onChange={(status) => edit({ status })} />
      <AddOutcome />
      <Checkbox
        label={text.another}
        isChecked={addsAnother.value}
        onChange={(isChecked) => (addsAnother.value = isChecked)}
      />
      <div class="dialog-actions">
        {state === "sending" && (
          <button type="button" onClick={stop}>
            {text.cancel}
          </button>
        )}
        {state === "editing" && !isBlank(draft.value) && (
          <button type="button" class="quiet" onClick={discard}>
            {text.discard}
          </button>
        )}
        {state === "unconfirmed" && (
          <button type="button" onClick={release}>
            {text.change}
          </button>
        )}
        <button type="submit" class="primary" aria-disabled={state === "sending"}>
          {state === "sending" ? text.sending : state === "unconfirmed" ? actions.retry : text.submit}
        </button>
      </div>
    </form>
  );
}
