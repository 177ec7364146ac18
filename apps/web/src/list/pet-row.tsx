import type { PetStatus } from "@petstore/client";
import { useComputed } from "@preact/signals";
import { view } from "../browser/address.ts";
import { useJustReplaced } from "../browser/repeated-presses.ts";
import { words } from "../language/language.ts";
import { changeStatus } from "../outbox/outbox.ts";
import { writeOf, type Write } from "../outbox/writes.ts";
import { Icon } from "../parts/icons.tsx";
import { Link } from "../parts/link.tsx";
import { categoryLabel, categoryNames } from "../pets/categories.ts";
import { visibleName } from "../pets/names.ts";
import type { Pet } from "../pets/rules.ts";
import { canAdd } from "../session/session.ts";
import { focusPet } from "./focus.ts";

interface PetRowProps {
  pet: Pet;
  /** Whether the tab key reaches this row. The arrow keys reach the others. */
  isStop: boolean;
}

export function PetRow({ pet, isStop }: PetRowProps) {
  const { tab, pet: open } = view.value;
  const tabIndex = isStop ? 0 : -1;
  const write = useWriteOf(pet.id);
  return (
    <div class={open === pet.id ? "pet is-open" : "pet"}>
      <Link
        class="pet-link"
        to={{ pet: pet.id }}
        tabIndex={tabIndex}
        isReplacing={open !== undefined}
      >
        <Tile pet={pet} />
        <PetName class="pet-name" of={pet} />
        <span class="pet-id meta">#{pet.id}</span>
        <span class="pet-category meta">
          <Category id={pet.categoryId} />
        </span>
        {write ? <Mark of={write} /> : tab !== pet.status && <StatusPill status={pet.status} />}
      </Link>
      {canAdd.value === true && (
        <Steps pet={pet} isChanging={write?.state === "waiting"} tabIndex={tabIndex} />
      )}
    </div>
  );
}

const steps: Record<PetStatus, { back?: PetStatus; next?: PetStatus }> = {
  available: { next: "pending" },
  pending: { back: "available", next: "sold" },
  sold: { back: "pending" },
};

/** From available to reserved to adopted, and back. */
function Steps({ pet, isChanging, tabIndex }: { pet: Pet; isChanging: boolean; tabIndex: number }) {
  const { statuses, pet: text } = words.value;
  const { back, next } = steps[pet.status];
  const isPaused = useJustReplaced(pet.status) || isChanging;
  const stepTo =
    (status: PetStatus) =>
    ({ detail }: MouseEvent): void => {
      // The second click of a double click does not count, even if it is late.
      if (isPaused || detail > 1) return;
      changeStatus(pet, status);
      focusPet(pet.id); // the button becomes the next step
    };
  return (
    <div class="steps">
      {back && (
        <button
          type="button"
          class={next ? "quiet icon-only" : "quiet"}
          tabIndex={tabIndex}
          aria-disabled={isPaused}
          aria-label={text.back(statuses[back], pet.name)}
          title={text.backTitle(statuses[back])}
          onClick={stepTo(back)}
        >
          <Icon name="back" />
          {!next && text.backShort}
        </button>
      )}
      {next && (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-disabled={isPaused}
          aria-label={text.changeOf[next](pet.name)}
          onClick={stepTo(next)}
        >
          {text.change[next]}
        </button>
      )}
    </div>
  );
}

/** The name, or a note that it is invisible, such as a name of spaces. */
export function PetName({ of: pet, ...rest }: { of: Pick<Pet, "name">; class?: string }) {
  return <bdi {...rest}>{visibleName(pet)}</bdi>;
}

/** The first letter of the name, in a colour of the category. */
export function Tile({ pet: { name, categoryId } }: { pet: Pet }) {
  // Not a combining mark or a control character, which would affect the text beside it.
  const [letter = "·"] = /\p{L}|\p{N}|\p{Extended_Pictographic}/u.exec(name) ?? [];
  // One of eight colours.
  const hue = 40 + 45 * Number(BigInt.asUintN(3, BigInt(categoryId)));
  return (
    <span class="tile" style={{ "--hue": hue }} aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  );
}

/** A word, a colour and a shape, so that it can be understood without colour. */
export function StatusPill({ status }: { status: Pet["status"] }) {
  return <span class={`status status-${status}`}>{words.value.statuses[status]}</span>;
}

/** The label of a category. A name may be in any script. */
export function Category({ id }: { id: string }) {
  const label = categoryLabel(id);
  return categoryNames.has(id) ? <bdi>{label}</bdi> : <>{label}</>;
}

/**
 * The write of an animal that is not stored. Draws again only if that one changes, so each animal
 * needs a component of its own.
 */
export function useWriteOf(id: string): Write | undefined {
  return useComputed(() => writeOf(id)).value;
}

/** What is not stored: a word, a shape and a colour, where it was pressed. */
export function Mark({ of: write }: { of: Write }) {
  const { statuses, outbox } = words.value;
  const { marks } = outbox;
  const status = "pet" in write ? write.changes.status : undefined;
  const isWaiting = write.state === "waiting";
  return (
    <span class={isWaiting ? "status mark" : "status mark alarm"}>
      <Icon name={isWaiting ? "wait" : "alert"} />
      {isWaiting && status ? marks.waitingFor(statuses[status]) : marks[write.state]}
    </span>
  );
}
