import { fieldNames, mapFields } from "@petstore/contract/fields";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { put } from "../outbox/outbox.ts";
import { categoryText } from "../shared/categories.ts";
import { words } from "../shared/language.ts";
import type { FieldProblems, Fields } from "../shared/pet-fields.ts";
import { PetInputs } from "../shared/pet-inputs.tsx";
import { findProblems, toValues, type Pet } from "../shared/rules.ts";
import { useWriteOf } from "./mark.tsx";

/** Changes the fields of an animal. Sends only what was edited: others may have changed the rest since the form opened. */
export function PetForm({ pet, close }: { pet: Pet; close: () => void }) {
  const { pet: text } = words.value;
  const opened = useRef<Fields>({
    ...mapFields((name) => pet[name] ?? ""),
    categoryId: categoryText(pet.categoryId),
  }).current;
  const typed = useSignal(opened);
  const problems = useSignal<FieldProblems>({});
  const form = useRef<HTMLFormElement>(null);
  const isLocked = useWriteOf(pet.id)?.state === "waiting";
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  function submit(event: Event): void {
    event.preventDefault();
    if (isLocked) return;
    const edited = fieldNames.filter((name) => typed.peek()[name] !== opened[name]);
    const found = findProblems(typed.peek());
    const invalid = edited.find((name) => found[name]);
    problems.value = Object.fromEntries(edited.map((name) => [name, found[name]]));
    if (invalid) return form.current?.querySelector<HTMLElement>(`[name=${invalid}]`)?.focus();
    const values = toValues(typed.peek());
    // Only a field that animals may lack is valid without text.
    const changes = Object.fromEntries(edited.map((name) => [name, values[name] === "" ? null : values[name]]));
    if (edited.length > 0) put({ pet, changes });
    close();
  }

  return (
    <form ref={form} class="fields" onSubmit={submit} noValidate>
      <PetInputs
        values={typed.value}
        problems={problems.value}
        isLocked={isLocked}
        onChange={(change) => (typed.value = { ...typed.peek(), ...change })}
      />
      <div class="dialog-actions">
        <button type="button" class="quiet" onClick={close}>
          {text.cancel}
        </button>
        <button type="submit" class="primary" aria-disabled={isLocked}>
          {text.save}
        </button>
      </div>
    </form>
  );
}
