import { useSignal } from "@preact/signals";
import { Fragment, type ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ProblemBox } from "../session/problem-box.tsx";
import { addressOf } from "../shared/address.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { Dialog } from "../shared/dialog.tsx";
import { words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import { loadNow, retryAt } from "./catalogue.ts";
import type { Pet, PetList } from "./pet-list.ts";
import { PetName, StatusPill, Tile } from "./pet-row.tsx";

/** The details of an animal of a list. Loads the list as far as the animal, if the page began with a link to it. */
export function PetDetails({ id, list }: { id: string; list: PetList }) {
  const { pet: text, list: listText } = words.value;
  const isMissing = useSignal(false);
  const pet = list.pets.value.find((each) => each.id === id);
  const problem = list.problem.value;
  useEffect(() => {
    let isClosed = false;
    isMissing.value = false;
    async function find(): Promise<void> {
      const index = await list.find(id, () => isClosed);
      if (isClosed) return;
      isMissing.value = index < 0 && list.problem.peek() === undefined;
      if (index >= 0) list.active.value = index;
    }
    if (!problem) void find(); // otherwise, as soon as the list has recovered
    return () => {
      isClosed = true;
    };
  }, [list, problem === undefined]);
  if (pet) return <Details pet={pet} />;
  return (
    <Dialog title={isMissing.value ? text.missing(id) : listText.looking(id)}>
      {problem && <ProblemBox problem={problem} retryAt={retryAt.value} retry={loadNow} />}
      {isMissing.value && (
        <>
          <p>{text.missingAdvice}</p>
          <Link to={{ tab: "all", pet: id }}>{text.lookInAll}</Link>
        </>
      )}
    </Dialog>
  );
}

/** What the details show of each field, from top to bottom; `undefined` leaves it out. The name is their title. */
function detailsOf(pet: Pet): Record<Exclude<keyof Pet, "name">, ComponentChildren> {
  return {
    id: (
      <>
        <code>{pet.id}</code> <CopyButton text={pet.id} label={words.value.pet.copyId} />
      </>
    ),
    categoryId: <code>{pet.categoryId}</code>,
    status: <StatusPill status={pet.status} />,
  };
}

function Details({ pet }: { pet: Pet }) {
  const { pet: text, fields } = words.value;
  return (
    <Dialog
      title={
        <span class="pet-title">
          <Tile pet={pet} />
          <PetName of={pet} />
        </span>
      }
    >
      <dl class="pet-details">
        {Object.entries(detailsOf(pet)).map(
          ([field, detail]) =>
            detail !== undefined && (
              <Fragment key={field}>
                <dt>{fields[field as keyof Pet]}</dt>
                <dd>{detail}</dd>
              </Fragment>
            ),
        )}
      </dl>
      <div class="dialog-actions">
        <CopyButton
          text={new URL(addressOf({ tab: "all", pet: pet.id }), location.href).href}
          label={text.copyLink}
          isQuiet={false}
        />
      </div>
    </Dialog>
  );
}
