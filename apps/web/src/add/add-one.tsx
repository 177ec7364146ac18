import { maxNameLength } from "@petstore/client";
import { signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { blankFields, draft, isBlank } from "../outbox/draft.ts";
import { put } from "../outbox/outbox.ts";
import { close } from "../shared/address.ts";
import { CategoryField, Checkbox, StatusChoice, TextField } from "../shared/fields.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { findProblems, lengthOf, toNewPet } from "../shared/rules.ts";

type Field = "name" | "categoryId";

/** Whether the form stays open for another animal. */
const addsAnother = signal(false);

/** The form for one animal. */
export function AddOne() {
  const { add: text, fields: labels } = words.value;
  const fields = draft.value;
  const problems = useComputed(() => findProblems(draft.value)).value;
  /** The fields that the user has left once. Before that, a problem may only mean that the user is still typing. */
  const left = useSignal<readonly Field[]>([]);
  const isRestored = useSignal(!isBlank(draft.peek()));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focus("[name=name]"), []);

  function focus(selector: string): void {
    form.current?.querySelector<HTMLElement>(selector)?.focus();
  }

  function begin(next: typeof fields): void {
    draft.value = next;
    left.value = [];
    isRestored.value = false;
    focus("[name=name]");
  }

  function add(event: Event): void {
    event.preventDefault();
    const entered = draft.peek(); // a second click in the same moment finds the next draft
    const found = findProblems(entered);
    const invalid = (["name", "categoryId"] as const).find((field) => found[field]);
    left.value = ["name", "categoryId"];
    if (invalid) return focus(`[name=${invalid}]`);
    put({ add: entered });
    begin(addsAnother.peek() ? { ...entered, name: "" } : blankFields);
    if (!addsAnother.peek()) close();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }

  function edit(change: Partial<typeof fields>): void {
    draft.value = { ...draft.peek(), ...change };
  }

  function propsOf(field: Field) {
    return {
      name: field,
      value: fields[field],
      onChange: (value: string) => edit({ [field]: value }),
      onLeave: () => (left.value = [...left.value, field]),
    };
  }

  function problemOf<Kind extends string>(field: Field, kind: Kind | undefined, texts: Record<Kind, string>): string {
    return kind !== undefined && left.value.includes(field) ? texts[kind] : "";
  }

  const nameLength = lengthOf(toNewPet(fields).name);
  const limit = formatNumber(maxNameLength);
  return (
    <form ref={form} class="fields" onSubmit={add} onKeyDown={onKeyDown} noValidate>
      {isRestored.value && <p class="field-hint">{text.restored}</p>}
      <TextField
        {...propsOf("name")}
        label={labels.name}
        advice={text.nameLength(formatNumber(nameLength), limit)}
        isOver={nameLength > maxNameLength}
        problem={problemOf("name", problems.name, text.nameProblems(limit))}
        isFirst
      />
      <CategoryField
        {...propsOf("categoryId")}
        problem={problemOf("categoryId", problems.categoryId, text.categoryProblems)}
      />
      <StatusChoice value={fields.status} onChange={(status) => edit({ status })} />
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
