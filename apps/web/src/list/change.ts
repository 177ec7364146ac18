import { isApiError, type PetChanges, type PetStatus } from "@petstore/client";
import { signal } from "@preact/signals";
import { session } from "../session/session.ts";
import { randomKey } from "../shared/idempotency-key.ts";
import { toProblem } from "../shared/problem.ts";
import type { Pet } from "./catalogue.ts";
import { catalogue } from "./current.ts";
import { toast, type Change } from "./toast.ts";

/** The ids of the animals that are being changed. */
export const changing = signal<ReadonlySet<string>>(new Set());

/** Changes a status, unless someone else changed it first. */
export function changeStatus(pet: Pet, status: PetStatus): void {
  if (pet.status !== status) void send({ pet, changes: { status }, ifStatus: pet.status, key: randomKey() });
}

/** Changes a name and a category. Returns whether the service has accepted them. */
export async function changeFields(pet: Pet, changes: PetChanges): Promise<boolean> {
  return send({ pet, changes, key: randomKey() });
}

/** Sends a change, and reports its outcome. */
export async function send(change: Change): Promise<boolean> {
  const { pet, changes, ifStatus, key } = change;
  const [current, list] = [session.peek(), catalogue.peek()];
  if (!current || !list || changing.peek().has(pet.id)) return false;
  changing.value = new Set([...changing.peek(), pet.id]);
  try {
    const options = { idempotencyKey: key, ...(ifStatus && { ifStatus }) };
    const after = await current.client.experimental.updatePet(pet.id, changes, options);
    list.put(after);
    if (session.peek() === current) toast.value = { changed: change, after };
    return true;
  } catch (error) {
    const isOvertaken = isApiError(error, "status_changed") || isApiError(error, "pet_not_found");
    const now = isOvertaken ? await list.refresh(pet.id) : undefined;
    if (session.peek() !== current) return false;
    toast.value = isOvertaken ? { overtaken: pet, now } : { unchanged: change, problem: toProblem(error) };
    return false;
  } finally {
    changing.value = new Set([...changing.peek()].filter((id) => id !== pet.id));
  }
}

/** Undoes a change, but not what others have changed. */
export function undo({ pet, changes }: Change, after: Pet): void {
  const fields = Object.keys(changes) as (keyof PetChanges)[];
  const back: PetChanges = Object.fromEntries(fields.map((field) => [field, pet[field]]));
  void send({ pet: after, changes: back, ...(changes.status && { ifStatus: after.status }), key: randomKey() });
}
