import { petStatuses } from "@petstore/client";
import { changeStatus } from "../outbox/outbox.ts";
import { words } from "../shared/language.ts";
import { useRest } from "../shared/rest.ts";
import type { Pet } from "../shared/rules.ts";
import { Mark, useWriteOf } from "./mark.tsx";

/** The three statuses: a click changes to another one. */
export function StatusSteps({ pet }: { pet: Pet }) {
  const { fields, statuses } = words.value;
  const write = useWriteOf(pet.id);
  const isResting = useRest(pet.status) || write?.state === "waiting";
  return (
    <>
      <div class="segments" role="group" aria-label={fields.status}>
        {petStatuses.map((status) => (
          <button
            key={status}
            type="button"
            class={`status-${status}`}
            aria-pressed={pet.status === status}
            aria-disabled={isResting}
            onClick={() => !isResting && changeStatus(pet, status)}
          >
            {statuses[status]}
          </button>
        ))}
      </div>
      {write && <Mark of={write} />}
    </>
  );
}
