import { maxNameLength } from "@petstore/client";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { put } from "../outbox/outbox.ts";
import { categoryText } from "../shared/categories.ts";
import { CategoryField, TextField } from "../shared/fields.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { findProblems, lengthOf, toNewPet, type FieldProblems, type Pet } from "../shared/rules.ts";
import { useWriteOf } from "./mark.tsx";

/** Changes the name and the category of an animal. Sends only what was edited: others may have changed the rest since the form opened. */
export function PetForm({ pet, close }: { pet: Pet; close: () => void }) {
  const { add: text, fields: labels, pet: petText } = words.value;
  const opened = useRef({ ...pet, categoryId: categoryText(pet.categoryId) }).current;
  const fields = useSignal({ name: opened.name, categoryId: opened.categoryId, status: opened.status });
  const problems = useSignal<FieldProblems>({});
  const form = useRef<HTMLFormElement>(null);
  const isLocked = useWriteOf(pet.id)?.state === "waiting";
  const { name, categoryId } = fields.value;
  const limit = formatNumber(maxNameLength);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  function submit(event: Event): void {
    event.preventDefault();
    if (isLocked) return;
    const [isNewName, isNewCategory] = [name !== opened.name, categoryId !== opened.categoryId];
    const found = findProblems(fields.peek());
    problems.value = { ...(isNewName && { name: found.name }), ...(isNewCategory && { categoryId: found.categoryId }) };
    if (problems.peek().name || problems.peek().categoryId) {
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    const entered = toNewPet(fields.peek());
    const changes = {
      ...(isNewName && { name: entered.name }),
      ...(isNewCategory && { categoryId: entered.categoryId }),
    };
    if (Object.keys(changes).length > 0) put({ pet, changes });
    close();
  }

  return (
    <form ref={form} class="fields" onSubmit={submit} noValidate>
      <TextField
        name="name"
        label={labels.name}
        value={name}
        advice={text.nameLength(formatNumber(lengthOf(name.trim())), limit)}
        isOver={lengthOf(name.trim()) > maxNameLength}
        problem={problems.value.name ? text.nameProblems(limit)[problems.value.name] : ""}
        isLocked={isLocked}
        onChange={(value) => (fields.value = { ...fields.peek(), name: value })}
        onLeave={() => undefined}
      />
      <CategoryField
        value={categoryId}
        problem={problems.value.categoryId ? text.categoryProblems[problems.value.categoryId] : ""}
        isLocked={isLocked}
        onChange={(value) => (fields.value = { ...fields.peek(), categoryId: value })}
        onLeave={() => undefined}
      />
      <div class="dialog-actions">
        <button type="button" class="quiet" onClick={close}>
          {petText.cancel}
        </button>
        <button type="submit" class="primary" aria-disabled={isLocked}>
          {petText.save}
        </button>
      </div>
    </form>
  );
}
