import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { show } from "../browser/address.ts";
import { useJustReplaced } from "../browser/repeated-presses.ts";
import { catalogue } from "../catalogue/session-catalogue.ts";
import { formatNumber, words } from "../language/language.ts";
import { draft } from "../outbox/draft.ts";
import { sendAgain } from "../outbox/outbox.ts";
import { forget, writeCount, writes, type Write } from "../outbox/writes.ts";
import { Link } from "../parts/link.tsx";
import { RequestId } from "../parts/request-id.tsx";
import { nameInText } from "../pets/names.ts";
import type { Pet } from "../pets/rules.ts";

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
              <p>{explain(write)}</p>
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

/** What was to be saved, and what became of it. */
export function explain(write: Write): string {
  return `${titleOf(write)}: ${reasonOf(write)}`;
}

function titleOf(write: Write): string {
  const { outbox: text, statuses } = words.value;
  if ("add" in write) return text.add(nameInText(write.add));
  const name = nameInText(write.pet);
  const { status } = write.changes;
  if (write.isRemoval) return text.removal(name);
  return status ? text.step(name, statuses[status]) : text.change(name);
}

function reasonOf(write: Write): string {
  const { outbox: text, statuses } = words.value;
  if (write.problem?.code === "reference_taken") {
    const owner = ownerOf(write);
    return owner ? text.numberTakenBy(nameInText(owner)) : text.numberTaken;
  }
  if (write.state !== "overtaken" || "add" in write) return text.explanations[write.state];
  void catalogue.value?.pets.value; // again when the animal changes
  const now = catalogue.value?.find(write.pet.id);
  return now ? text.overtakenTo(statuses[now.status]) : text.overtakenByRemoval;
}

/** The animal that has the number of a rejected one, if the list has that. */
function ownerOf(write: Write): Pet | undefined {
  const number = "add" in write ? write.add.reference : write.changes.reference;
  return catalogue.value?.pets.value.find(({ reference }) => reference === number);
}

/** What the user can do about a write. */
export function Choices({ of: write }: { of: Write }) {
  const { outbox: text, add, pet } = words.value;
  const isPaused = useJustReplaced(write.key);
  const owner = write.problem?.code === "reference_taken" ? ownerOf(write) : undefined;

  function edit(): void {
    if (!("add" in write)) return;
    draft.value = write.add;
    forget(write);
    show({ add: "one" });
  }

  return (
    <div class="problem-actions">
      {owner && (
        <Link class="button" to={{ tab: "all", search: "", category: undefined, pet: owner.id }}>
          #{owner.id}
        </Link>
      )}
      {write.state === "unsure" && (
        <button
          type="button"
          aria-disabled={isPaused}
          onClick={() => !isPaused && sendAgain(write)}
        >
          {text.sendAgain}
        </button>
      )}
      {write.state === "rejected" && "add" in write && (
        <button type="button" onClick={edit}>
          {pet.edit}
        </button>
      )}
      <button
        type="button"
        class="quiet"
        aria-disabled={isPaused}
        onClick={() => !isPaused && forget(write)}
      >
        {write.state === "waiting" ? text.doNotSave : add.dismiss}
      </button>
    </div>
  );
}
