import type { Store } from "@petstore/service";

const pet = { name: "Bella", categoryId: 7, status: "available" } as const;

interface Written {
  stored: number;
  rejected: number;
  perSecond: number;
}

/** Lets writers create animals, each one after the other, for some seconds. */
export async function writeFor(seconds: number, store: Store, writers: number): Promise<Written> {
  let [stored, rejected] = [0, 0];
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1_000;
  async function write(): Promise<void> {
    while (secondsSince() < seconds) {
      await store.createPet(pet).then(
        () => stored++,
        () => rejected++,
      );
    }
  }
  await Promise.all(Array.from({ length: writers }, write));
  return { stored, rejected, perSecond: stored / secondsSince() };
}
