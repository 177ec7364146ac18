import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { draft } from "../outbox/draft.ts";
import { sendAgain } from "../outbox/outbox.ts";
import { forget, writeCount, writes, type Write } from "../outbox/writes.ts";
import { show } from "../shared/address.ts";
import { formatNumber, words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import { RequestId } from "../shared/request-id.tsx";
import { useRest } from "../shared/rest.ts";
import { catalogue } from "./current.ts";
import { PetName } from "./pet-row.tsx";

/** How many writes are drawn. */
const drawn = 50;

/** Opens a list of everything that is not saved, with what the user can do about it. */
export function NotSaved() {
  const { outbox: text } = words.value;
  const id = useId();
  const isOpen = useSignal(false);
  const count = writeCount.value;
  if (count === 0) return null;
  return (
    <>
      <button type="button" popoverTarget={id}>
        {text.notSaved(formatNumber(count))}
      </button>
      <div
        id={id}
        class="menu not-saved"
        popover="auto"
        role="dialog"
        aria-label={text.title}
        onToggle={({ newState }) => (isOpen.value = newState === "open")}
      >
        <h2>{text.title}</h2>
        {isOpen.value &&
          writes.value.slice(0, drawn).map((write) => (
            <div key={write.key} class="not-saved-write">
              <p>
                <Explanation of={write} />
              </p>
              {write.problem && <RequestId of={write.problem} />}
              <Choices of={write} />
            </div>
          ))}
        {count > 1 && (
          <button type="button" onClick={() => forget(...writes.peek())}>
            {text.dismissAll(formatNumber(count))}
          </button>
        )}
      </div>
    </>
  );
}

/** What was to be saved, and what became of it, as a sentence. */
export function Explanation({ of: write }: { of: Write }) {
  const { outbox: text, statuses, toasts } = words.value;
  const status = "pet" in write ? write.changes.status : undefined;
  const change = "pet" in write && write.isRemoval ? text.removal : text.change;
  void catalogue.value?.pets.value; // draws again when the animal changes
  const now = "pet" in write ? catalogue.value?.find(write.pet.id) : undefined;
  return (
    <>
      <strong>
        <PetName of={"add" in write ? write.add : write.pet} />
        {"add" in write ? text.add : status ? ` → ${statuses[status]}` : change}
      </strong>{" "}
      {write.problem?.code === "reference_taken" ? <Taken by={write} /> : text.explanations[write.state]}
      {write.state === "overtaken" && (now ? toasts.isNow(statuses[now.status]) : toasts.isGone)}
    </>
  );
}

/** That another animal has the number, and which, once the list has that. */
function Taken({ by: write }: { by: Write }) {
  const { outbox: text } = words.value;
  const number = "add" in write ? write.add.reference : write.changes.reference;
  const owner = catalogue.value?.pets.value.find(({ reference }) => reference === number);
  if (!owner) return <>{text.numberTaken}</>;
  return (
    <>
      {text.numberTakenBy}{" "}
      <Link to={{ tab: "all", search: "", category: undefined, pet: owner.id }}>
        <PetName of={owner} /> #{owner.id}
      </Link>
    </>
  );
}

/** What the user can do about a write. */
export function Choices({ of: write }: { of: Write }) {
  const { outbox: text, add, pet } = words.value;
  const isResting = useRest(write.key);

  function edit(): void {
    if (!("add" in write)) return;
    draft.value = write.add;
    forget(write);
    show({ add: "one" });
  }

  return (
    <div class="problem-actions">
      {write.state === "unsure" && (
        <button type="button" aria-disabled={isResting} onClick={() => !isResting && sendAgain(write)}>
          {text.sendAgain}
        </button>
      )}
      {write.state === "rejected" && "add" in write && (
        <button type="button" onClick={edit}>
          {pet.edit}
        </button>
      )}
      <button type="button" class="quiet" aria-disabled={isResting} onClick={() => !isResting && forget(write)}>
        {write.state === "waiting" ? text.doNotSave : add.dismiss}
      </button>
    </div>
  );
}
