import { useComputed } from "@preact/signals";
import { writeOf, type Write } from "../outbox/writes.ts";
import { Icon } from "../shared/icons.tsx";
import { words } from "../shared/language.ts";

/** The write of an animal that is not stored. Draws again only if that one changes, so each animal needs a component of its own. */
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
