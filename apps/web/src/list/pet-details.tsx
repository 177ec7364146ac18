import { petStatuses } from "@petstore/client";
import { fieldNames, mapFields } from "@petstore/contract/fields";
import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { addressOf, close, show } from "../browser/address.ts";
import { useJustReplaced } from "../browser/repeated-presses.ts";
import { rows } from "../catalogue/filtered-list.ts";
import { catalogue } from "../catalogue/session-catalogue.ts";
import type { FieldProblems } from "../language/field-problems.ts";
import { words } from "../language/language.ts";
import { changeStatus, put, removePet } from "../outbox/outbox.ts";
import { isChanging } from "../outbox/writes.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icons.tsx";
import { PetInputs } from "../parts/pet-inputs.tsx";
import { categoryNames, categoryText } from "../pets/categories.ts";
import type { Fields } from "../pets/pet-fields.ts";
import { findProblems, toValues, type Pet } from "../pets/rules.ts";
import { canAdd, canRemove } from "../session/session.ts";
import { Messages } from "./messages.tsx";
import { Category, Mark, PetName, StatusPill, Tile, useWriteOf } from "./pet-row.tsx";
import { printLabel } from "./printed-page.tsx";
import { ProblemBox } from "./problem-box.tsx";

/** Whether an animal is being edited in the details. */
export const isEditing = signal(false);

const wide = matchMedia("(width >= 75rem)");

/** Whether the details of an animal have room beside the list. */
export const isWide = signal(wide.matches);

wide.addEventListener("change", () => (isWide.value = wide.matches));

/** The details of an animal: beside the list on a wide screen, over it on others. */
export function PetDetails({ id }: { id: string }) {
  const { pet: text, list: listText } = words.value;
  const { pets, isComplete, problem } = catalogue.value ?? {};
  void pets?.value; // draws again when the animal changes
  const pet = catalogue.value?.find(id);
  const failed = problem?.value;
  const isMissing = !pet && isComplete?.value === true;
  const title = pet ? <Title pet={pet} /> : isMissing ? text.missing(id) : listText.looking(id);
  return (
    <Dialog
      key={isWide.value}
      title={title}
      isSide={isWide.value}
      actions={pet && <Neighbours id={id} />}
    >
      {!isWide.value && <Messages />}
      {pet && <Details key={id} pet={pet} />}
      {!pet && failed && <ProblemBox of={failed} />}
      {isMissing && <p>{text.missingAdvice}</p>}
    </Dialog>
  );
}

function Title({ pet }: { pet: Pet }) {
  return (
    <span class="pet-title">
      <Tile pet={pet} />
      <PetName of={pet} />
    </span>
  );
}

/** Shows the animals before and after another one in the list. */
function Neighbours({ id }: { id: string }) {
  const { pet: text } = words.value;
  const at = rows.value.findIndex((pet) => pet.id === id);
  if (at < 0) return null;
  const buttons = [
    { pet: rows.value[at - 1], label: text.previous, icon: "previous" },
    { pet: rows.value[at + 1], label: text.next, icon: "next" },
  ] as const;
  return buttons.map(({ pet, label, icon }) => (
    <button
      key={icon}
      type="button"
      class="quiet icon-only"
      aria-label={label}
      title={label}
      aria-disabled={!pet}
      onClick={() => pet && show({ pet: pet.id }, true)}
    >
      <Icon name={icon} />
    </button>
  ));
}

/**
 * What the details show of each field, from top to bottom; `undefined` leaves it out. The name is
 * their title.
 */
function detailsOf(pet: Pet): Record<keyof Pet, ComponentChildren> {
  return {
    id: (
      <>
        <code>{pet.id}</code> <CopyButton text={pet.id} label={words.value.pet.copyId} />
      </>
    ),
    ...mapFields((name) => pet[name] && <bdi>{pet[name]}</bdi>),
    name: undefined,
    categoryId: categoryNames.has(pet.categoryId) ? (
      <Category id={pet.categoryId} />
    ) : (
      <code>{pet.categoryId}</code>
    ),
    // Users who may change the status have buttons for it.
    status: canAdd.value === true ? undefined : <StatusPill status={pet.status} />,
  };
}

function Details({ pet }: { pet: Pet }) {
  const { pet: text, fields } = words.value;
  const isAsking = useSignal(false);
  useEffect(() => () => void (isEditing.value = false), []);
  if (isAsking.value) return <AskToRemove pet={pet} cancel={() => (isAsking.value = false)} />;
  if (isEditing.value) return <PetForm pet={pet} stop={() => (isEditing.value = false)} />;
  return (
    <>
      {canAdd.value === true && <StatusSteps pet={pet} />}
      <dl class="pet-details">
        {Object.entries(detailsOf(pet)).map(
          ([field, detail]) =>
            detail !== undefined && (
              <div key={field}>
                <dt>{fields[field as keyof Pet]}</dt>
                <dd>{detail}</dd>
              </div>
            ),
        )}
      </dl>
      <div class="dialog-actions">
        <CopyButton
          text={
            new URL(
              addressOf({ tab: "all", search: "", category: undefined, pet: pet.id }),
              location.href,
            ).href
          }
          label={text.copyLink}
          isQuiet={false}
        />
        <button type="button" onClick={() => printLabel(pet.id)}>
          {text.printLabel}
        </button>
        {canAdd.value === true && (
          // The form begins with what the service has, so it waits until a change is confirmed.
          <button
            type="button"
            aria-disabled={isChanging(pet.id)}
            onClick={() => (isEditing.value = !isChanging(pet.id))}
          >
            <Icon name="edit" />
            {text.edit}
          </button>
        )}
        {canRemove.value && (
          <button
            type="button"
            aria-disabled={isChanging(pet.id)}
            onClick={() => (isAsking.value = !isChanging(pet.id))}
          >
            {text.remove}
          </button>
        )}
      </div>
    </>
  );
}

/**
 * Changes the fields of an animal. Sends only what was edited: others may have changed the rest
 * since the form opened.
 */
function PetForm({ pet, stop }: { pet: Pet; stop: () => void }) {
  const { pet: text } = words.value;
  const opened = useRef<Fields>({
    ...mapFields((name) => pet[name] ?? ""),
    categoryId: categoryText(pet.categoryId),
  }).current;
  const typed = useSignal(opened);
  const problems = useSignal<FieldProblems>({});
  const form = useRef<HTMLFormElement>(null);
  const isLocked = useWriteOf(pet.id)?.state === "waiting";
  // In the step that draws the form: later, it would take what is typed from another field.
  useLayoutEffect(() => form.current?.querySelector("input")?.focus(), []);

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
    const changes = Object.fromEntries(
      edited.map((name) => [name, values[name] === "" ? null : values[name]]),
    );
    if (edited.length > 0) put({ pet, changes });
    stop();
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
        <button type="button" class="quiet" onClick={stop}>
          {text.cancel}
        </button>
        <button type="submit" class="primary" aria-disabled={isLocked}>
          {text.save}
        </button>
      </div>
    </form>
  );
}

/** The three statuses: a click changes to another one. */
function StatusSteps({ pet }: { pet: Pet }) {
  const { fields, statuses } = words.value;
  const write = useWriteOf(pet.id);
  const isPaused = useJustReplaced(pet.status) || write?.state === "waiting";
  return (
    <>
      <div class="segments" role="group" aria-label={fields.status}>
        {petStatuses.map((status) => (
          <button
            key={status}
            type="button"
            class={`status-${status}`}
            aria-pressed={pet.status === status}
            aria-disabled={isPaused}
            onClick={() => !isPaused && changeStatus(pet, status)}
          >
            {statuses[status]}
          </button>
        ))}
      </div>
      {write && <Mark of={write} />}
    </>
  );
}

/** A removal cannot be undone, so it takes a second press. */
function AskToRemove({ pet, cancel }: { pet: Pet; cancel: () => void }) {
  const { pet: text } = words.value;
  const asked = useRef(pet).current; // the status that the user has seen
  const isLocked = useWriteOf(pet.id)?.state === "waiting";
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);

  function remove(): void {
    if (isLocked) return;
    removePet(asked);
    close();
  }

  return (
    <div role="alertdialog" aria-label={text.removeAdvice}>
      <p>{text.removeAdvice}</p>
      <div class="dialog-actions">
        <button ref={button} type="button" class="quiet" onClick={cancel}>
          {text.cancel}
        </button>
        <button type="button" class="primary" aria-disabled={isLocked} onClick={remove}>
          {text.remove}
        </button>
      </div>
    </div>
  );
}
