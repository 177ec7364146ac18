import { mapFields } from "@petstore/contract/fields";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { removePet } from "../outbox/outbox.ts";
import { isChanging } from "../outbox/writes.ts";
import { ProblemBox } from "../session/problem-box.tsx";
import { canAdd, canRemove } from "../session/session.ts";
import { addressOf, close, show } from "../shared/address.ts";
import { categoryNames } from "../shared/categories.ts";
import { Category } from "../shared/category.tsx";
import { CopyButton } from "../shared/copy-button.tsx";
import { Dialog } from "../shared/dialog.tsx";
import { Icon } from "../shared/icons.tsx";
import { words } from "../shared/language.ts";
import type { Pet } from "../shared/rules.ts";
import { catalogue, loadNow, retryAt } from "./current.ts";
import { useWriteOf } from "./mark.tsx";
import { Messages } from "./messages.tsx";
import { PetForm } from "./pet-form.tsx";
import { PetName, StatusPill, Tile } from "./pet-row.tsx";
import { rows } from "./shown.ts";
import { StatusSteps } from "./status-steps.tsx";
import { isWide } from "./wide.ts";

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
    <Dialog key={isWide.value} title={title} isSide={isWide.value} actions={pet && <Neighbours id={id} />}>
      {!isWide.value && <Messages />}
      {pet && <Details key={id} pet={pet} />}
      {!pet && failed && <ProblemBox problem={failed} retryAt={retryAt.value} retry={loadNow} />}
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

/** Shows the animal before or after another one in the list. */
function step(id: string, by: 1 | -1): void {
  const at = rows.peek().findIndex((pet) => pet.id === id);
  const next = at < 0 ? undefined : rows.peek()[at + by];
  if (next) show({ pet: next.id }, true);
}

function Neighbours({ id }: { id: string }) {
  const { pet: text } = words.value;
  const at = rows.value.findIndex((pet) => pet.id === id);
  if (at < 0) return null;
  const buttons = [
    { by: -1, label: text.previous, icon: "previous", isEnd: at === 0 },
    { by: 1, label: text.next, icon: "next", isEnd: at === rows.value.length - 1 },
  ] as const;
  return buttons.map(({ by, label, icon, isEnd }) => (
    <button
      key={by}
      type="button"
      class="quiet icon-only"
      aria-label={label}
      title={label}
      aria-disabled={isEnd}
      onClick={() => step(id, by)}
    >
      <Icon name={icon} />
    </button>
  ));
}

/** What the details show of each field, from top to bottom; `undefined` leaves it out. The name is their title. */
function detailsOf(pet: Pet): Record<keyof Pet, ComponentChildren> {
  return {
    id: (
      <>
        <code>{pet.id}</code> <CopyButton text={pet.id} label={words.value.pet.copyId} />
      </>
    ),
    ...mapFields((name) => pet[name] && <bdi>{pet[name]}</bdi>),
    name: undefined,
    categoryId: (
      <>{categoryNames.has(pet.categoryId) ? <Category id={pet.categoryId} /> : <code>{pet.categoryId}</code>}</>
    ),
    // Users who may change the status have buttons for it.
    status: canAdd.value === true ? undefined : <StatusPill status={pet.status} />,
  };
}

function Details({ pet }: { pet: Pet }) {
  const { pet: text, fields } = words.value;
  const isEditing = useSignal(false);
  const isAsking = useSignal(false);
  if (isAsking.value) return <AskToRemove pet={pet} cancel={() => (isAsking.value = false)} />;
  if (isEditing.value) return <PetForm pet={pet} close={() => (isEditing.value = false)} />;
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
          text={new URL(addressOf({ tab: "all", search: "", category: undefined, pet: pet.id }), location.href).href}
          label={text.copyLink}
          isQuiet={false}
        />
        {canAdd.value === true && (
          <button type="button" onClick={() => (isEditing.value = true)}>
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

/** A removal cannot be undone, so it takes a second press. */
function AskToRemove({ pet, cancel }: { pet: Pet; cancel: () => void }) {
  const { pet: text } = words.value;
  const asked = useRef(pet).current; // the status that the user has seen
  const isLocked = useWriteOf(pet.id)?.state === "waiting";
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);

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
