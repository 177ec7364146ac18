import { petStatuses } from "@petstore/client";
import { changeStatus, undo } from "../outbox/outbox.ts";
import { canAdd } from "../session/session.ts";
import { view } from "../shared/address.ts";
import { Checkbox } from "../shared/fields.tsx";
import { words } from "../shared/language.ts";
import { areShortcutsOn, switchShortcuts, useShortcuts } from "../shared/shortcuts.ts";
import { catalogue } from "./current.ts";
import { searchId } from "./list-bar.tsx";
import { step } from "./pet-details.tsx";
import { report } from "./report.ts";
import { active } from "./shown.ts";

/** The keys of the list, and a page about all keys. */
export function Shortcuts() {
  useShortcuts({
    "/": () => document.getElementById(searchId)?.focus(),
    "?": () => document.getElementById("shortcuts")?.showPopover(),
    j: stepFrom(1),
    k: stepFrom(-1),
    u: undoLast,
    ...Object.fromEntries(petStatuses.map((status, index) => [index + 1, () => changeActive(status)])),
  });
  const { title, keys, isOn } = words.value.shortcuts;
  return (
    <div id="shortcuts" class="menu shortcuts" popover="auto" role="dialog" aria-label={title}>
      <h2>{title}</h2>
      <dl>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox label={isOn} isChecked={areShortcutsOn.value} onChange={switchShortcuts} />
    </div>
  );
}

function stepFrom(by: 1 | -1): () => void {
  return () => {
    const { pet } = view.peek();
    if (pet !== undefined) step(pet, by);
  };
}

/** Changes the animal whose row has the focus, or whose details are open. */
function changeActive(status: (typeof petStatuses)[number]): void {
  const hasRow = document.activeElement?.closest(".pets") !== null;
  const id = hasRow ? active.peek() : view.peek().pet;
  const pet = id === undefined ? undefined : catalogue.peek()?.find(id);
  if (pet && canAdd.peek() === true) changeStatus(pet, status);
}

function undoLast(): void {
  const last = report.peek();
  if (last && "changed" in last) undo(last.changed, last.after);
}
