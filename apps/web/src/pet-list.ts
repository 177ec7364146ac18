import { compareInt64, type Page, type Pet as AnyPet, type PetstoreClient } from "@petstore/client";
import { batch, computed, signal } from "@preact/signals";
import type { Tab } from "./address.ts";
import { toProblem, type Problem } from "./problem.ts";

export type Pet = AnyPet<"string">;

/** The most that a page can have, for the fewest requests. */
const pageLimit = 100;

/** The animals of one tab, as far as they have been loaded: in ascending order of id, so that new ones come at the end. */
export class PetList {
  readonly pets = signal<readonly Pet[]>([]);
  /** Whether every animal has been loaded. */
  readonly isComplete = signal(false);
  readonly isLoading = signal(false);
  /** Why the last request failed. */
  readonly problem = signal<Problem | undefined>(undefined);
  /** How many animals have come since the list was complete and the reader has not seen. */
  readonly unseen = signal(0);
  readonly isEmpty = computed(() => this.isComplete.value && this.pets.value.length === 0);

  readonly #client: PetstoreClient<"string">;
  readonly #query: { status?: Exclude<Tab, "all"> };
  /** The cursor of the page to load next; while {@link isComplete}, of a page that begins with the last known animal. */
  #cursor: string | undefined;
  #loading: Promise<void> | undefined;
  /** The last page, until `findTail` has found its end. */
  #lastPage: { cursor: string | undefined; count: number } | undefined;

  constructor(client: PetstoreClient<"string">, tab: Tab) {
    this.#client = client;
    this.#query = tab === "all" ? {} : { status: tab };
  }

  /** Loads the next page; of a complete list, the animals that were added since. Waits for a request in progress instead of a second one. */
  load(): Promise<void> {
    this.#loading ??= this.#attempt(this.isComplete.peek() ? () => this.#loadNew() : () => this.#loadNext());
    return this.#loading;
  }

  /** Loads pages until one has the animal. Resolves with its index, or -1. */
  async find(id: string): Promise<number> {
    for (;;) {
      const pets = this.pets.peek();
      const last = pets.at(-1);
      const isPast = last !== undefined && compareInt64(last.id, id) >= 0;
      if (isPast || this.isComplete.peek() || this.problem.peek()) return pets.findIndex((pet) => pet.id === id);
      await this.load();
    }
  }

  async #loadNext(): Promise<void> {
    const cursor = this.#cursor;
    this.#add(await this.#page(cursor), cursor);
  }

  async #loadNew(): Promise<void> {
    await this.#findTail();
    const before = this.pets.peek().length;
    await this.#loadNext();
    this.unseen.value += this.pets.peek().length - before;
  }

  /** Runs a request, and keeps its problem. */
  async #attempt(request: () => Promise<void>): Promise<void> {
    this.isLoading.value = true;
    try {
      await request();
      this.problem.value = undefined;
    } catch (error) {
      this.problem.value = toProblem(error);
    } finally {
      this.#loading = undefined;
      this.isLoading.value = false;
    }
  }

  async #page(cursor: string | undefined, limit: number = pageLimit): Promise<Page<Pet>> {
    return await this.#client.listPets({ ...this.#query, cursor, limit });
  }

  #add({ data, next }: Page<Pet>, cursor: string | undefined): void {
    const last = this.pets.peek().at(-1);
    const added = last === undefined ? data : data.filter(({ id }) => compareInt64(id, last.id) > 0);
    batch(() => {
      if (added.length > 0) this.pets.value = [...this.pets.peek(), ...added];
      this.isComplete.value = next === undefined;
    });
    this.#cursor = next ?? cursor;
    this.#lastPage = next === undefined && data.length > 1 ? { cursor, count: data.length } : undefined;
  }

  /**
   * The last page has no cursor to continue from. The same page without its last animal has one: it continues with that animal, and
   * later with those that come after it.
   */
  async #findTail(): Promise<void> {
    if (this.#lastPage === undefined) return;
    const { cursor, count } = this.#lastPage;
    const { next } = await this.#page(cursor, count - 1);
    if (next !== undefined) this.#cursor = next;
    this.#lastPage = undefined;
  }
}
