import { petStatuses } from "@petstore/client";
import { words } from "../shared/language.ts";
import type { Pet } from "./catalogue.ts";
import { changeStatus, changing } from "./change.ts";

/** The three statuses: a click changes to another one. */
export function StatusSteps({ pet }: { pet: Pet }) {
  const { fields, statuses } = words.value;
  const isChanging = changing.value.has(pet.id);
  return (
    <div class="segments" role="group" aria-label={fields.status}>
      {petStatuses.map((status, index) => (
        <button
          key={status}
          type="button"
          class={`status-${status}`}
          aria-pressed={pet.status === status}
          aria-disabled={isChanging}
          aria-keyshortcuts={String(index + 1)}
          onClick={() => changeStatus(pet, status)}
        >
          {statuses[status]}
        </button>
      ))}
    </div>
  );
}
