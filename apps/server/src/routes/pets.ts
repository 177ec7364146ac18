import { createHash } from "node:crypto";
import { idempotencyWindowMs, parseInt64, stringifyJson, type Pet, type PetStatus } from "@petstore/contract";
import { getPetDeprecation } from "@petstore/contract/values";
import { Refusal } from "../refusal.ts";
import type { ApiKey, PetFields, Store } from "../store/store.ts";
import { cutPage, type Cursors } from "./cursor.ts";

interface ListPets {
  limit: number;
  status?: PetStatus | undefined;
  cursor?: string | undefined;
}

export async function listPets(store: Store, cursors: Cursors, { limit, status, cursor }: ListPets) {
  const list = `pets ${status ?? ""}`;
  const pets = await store.listPets({ limit: limit + 1, status, after: cursors.read(list, cursor) });
  const { items, headers } = cutPage(cursors, list, pets, { limit, status });
  return { status: 200 as const, body: items, headers };
}

interface CreatePet {
  pet: PetFields;
  idempotencyKey: string | undefined;
  apiKey: ApiKey;
  now: number;
}

export async function createPet(store: Store, { pet, idempotencyKey, apiKey, now }: CreatePet) {
  const creation = await store.createPet(
    pet,
    idempotencyKey === undefined
      ? undefined
      : {
          ownerId: apiKey.id,
          key: idempotencyKey,
          fingerprint: fingerprint(pet),
          now,
          expiresAt: now + idempotencyWindowMs,
        },
  );
  if (creation.outcome === "reused") throw keyReused();
  if (creation.outcome === "in_progress") throw keyInProgress();
  const { outcome, pet: body } = creation;
  const headers = {
    // What is there is getPet, until it is removed.
    ...(now < Date.parse(getPetDeprecation.sunset) && { Location: `pets/${body.id}` }),
    ...(outcome === "replayed" && { "Idempotent-Replayed": "true" }),
  };
  return { status: 201 as const, body, headers };
}

export async function getPet(store: Store, petId: string): Promise<{ status: 200; body: Pet }> {
  const id = parseInt64(petId);
  const pet = id === undefined ? undefined : await store.getPet(id);
  if (pet === undefined) throw new Refusal("pet_not_found", "There is no animal with this id.");
  return { status: 200, body: pet };
}

/** Equal for equal animals, however their JSON was written. */
function fingerprint({ name, categoryId, status }: PetFields): string {
  return createHash("sha256")
    .update(stringifyJson([name, categoryId, status]))
    .digest("base64url");
}

function keyReused(): Refusal {
  return new Refusal("idempotency_key_reused", "This Idempotency-Key was used for a different animal. Use a new one.");
}

function keyInProgress(): Refusal {
  return new Refusal(
    "idempotency_in_progress",
    "A request with this Idempotency-Key is in progress. Try again shortly.",
    {
      "Retry-After": "1",
    },
  );
}
