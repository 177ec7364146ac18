import type { Creation, Idempotency, Store, Update } from "@petstore/service";
import { onTestFinished } from "vitest";
import { openPostgresStore } from "./stores.ts";

export const pet = { name: "Bella", categoryId: 7, status: "available" } as const;

export const request: Idempotency = {
  ownerId: "key_a",
  key: "k",
  fingerprint: "f",
  now: 1_000,
  expiresAt: 2_000,
};

export async function open(url: string, limits = {}): Promise<Store> {
  const store = await openPostgresStore(url, { limits });
  onTestFinished(() => store.close());
  return store;
}

/** Opens a store of available animals with the ids from 1. */
export async function openWith(count: number, url: string, limits = {}): Promise<Store> {
  const store = await open(url, limits);
  await store.importPets(Array.from({ length: count }, () => pet));
  return store;
}

export function reserve(store: Store, id: number, idempotency?: Idempotency): Promise<Update> {
  return store.updatePet(id, { status: "pending" }, { ifStatus: "available", idempotency });
}

/** The ids of new animals, the outcomes of other writes, and the failures. */
export async function settle(writes: readonly Promise<Creation | Update>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(writes);
  return settled.map((each) => {
    if (each.status === "rejected") return (each.reason as Error).message;
    return each.value.outcome === "created" ? each.value.pet.id : each.value.outcome;
  });
}
