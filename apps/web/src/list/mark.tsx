import type { Write } from "../outbox/writes.ts";
import { writeOf } from "../outbox/writes.ts";
import { Icon } from "../shared/icons.tsx";
import { words } from "../shared/language.ts";

/** What is not stored of an animal: a word, a shape and a colour, where it was pressed. */
export function Mark({ id }: { id: string }) {
  const write = writeOf(id);
  if (!write) return null;
  const isWaiting = write.state === "waiting";
  return (
    <span class={isWaiting ? "status mark" : "status mark alarm"}>
      <Icon name={isWaiting ? "wait" : "alert"} />
      {textOf(write)}
    </span>
  );
}

function textOf(write: Write): string {
  const { marks } = words.value.outbox;
  const { statuses } = words.value;
  const status = "pet" in write ? write.changes.status : undefined;
  return write.state === "waiting" && status ? marks.waitingFor(statuses[status]) : marks[write.state];
}
