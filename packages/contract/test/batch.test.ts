import { expect, test } from "vitest";
import { petBatchSchema } from "../src/batch.ts";

/** Animals that count how often they are read. */
function countedPets(count: number) {
  let reads = 0;
  const pet = {
    categoryId: 7,
    get name(): string {
      reads += 1;
      return "Rex";
    },
  };
  return { pets: Array.from({ length: count }, () => pet), reads: () => reads };
}

test("100 animals are checked one by one", () => {
  const { pets, reads } = countedPets(100);
  expect(petBatchSchema.safeParse({ pets }).data?.pets.every(({ success }) => success)).toBe(true);
  expect(reads()).toBeGreaterThanOrEqual(100);
});

test("101 animals are rejected without a look at any: a body has room for 200,000 of them", () => {
  const { pets, reads } = countedPets(101);
  expect(petBatchSchema.safeParse({ pets }).success).toBe(false);
  expect(reads()).toBe(0);
});
