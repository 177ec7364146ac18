import { compareInt64, type Page, type Pet as AnyPet, type PetstoreClient } from "@petstore/client";
import { batch, signal } from "@preact/signals";
import type { Tab } from "../shared/address.ts";
import { toProblem, type Problem } from "../shared/problem.ts";

export type Pet = AnyPet<"string">;

/** The most that a page can have, for the fewest requests. */
const pageLimit = 100;

/** The largest id that a new animal can get. Imported animals can have larger ones: those stay after the new ones. */
const maxNewId = Number.MAX_SAFE_INTEGER;

function canBeNew({ id }: Pet): boolean {
  return compareInt64(id, maxNewId) <= 0;
}

/** The animals of one tab, as far as they have been loaded: in ascending order of id, so that new ones come last. */
export class PetList {
  readonly pets = signal<readonly Pet[]>([]);
  /** Whether every animal has been loaded. */
  readonly isComplete = signal(false);
  readonly isLoading = signal(false);
  /** Why the last request failed. */
  readonly problem = signal<Problem | undefined>(undefined);
  /** The index after that of the newest animal. Only animals with ids that new ones cannot get follow. */
  readonly newEnd = signal(0);
  /** How many animals before {@link newEnd} came while the list was complete, and have not been on the screen. */
  readonly unseen = signal(0);
  /** The index of the row that the tab key reaches. */
  readonly active = signal(0);
  /** Where the reader was, in pixels. */
  scroll = 0;
  /** When the last request ended, in milliseconds since 1970. */
  loadedAt = 0;

  readonly #client: PetstoreClient<"string">;
  readonly #query: { status?: Exclude<Tab, "all"> };
  /** The cursor of the page to load next. */
  #cursor: string | undefined;
  /** The cursor of the page in which new animals come, and how many animals before them it has. */
  #newPage: { cursor: string | undefined; count: number } = { cursor: undefined, count: 0 };
  #loading: Promise<void> | undefined;
  /** Whether loaded animals may have changed, and are loaded again next. */
  #isStale = false;

  constructor(client: PetstoreClient<"string">, tab: Tab) {
    this.#client = client;
    this.#query = tab === "all" ? {} : { status: tab };
  }

  /** Loads the next page; of a complete list, the animals that came since. Joins a request in progress. */
  load(): Promise<void> {
    this.#loading ??= this.#run();
    return this.#loading;
  }

  /** Loads all loaded pages again. Does not join a request in progress, which may have missed a change. */
  async reload(): Promise<void> {
    this.#isStale = true;
    await this.#loading;
    await this.load();
  }

  /** Loads pages until `isDone`, the list is complete or a request fails. */
  async loadUntil(isDone: () => boolean): Promise<void> {
    while (!isDone() && !this.isComplete.peek()) {
      await this.load();
      if (this.problem.peek()) return;
    }
  }

  /** Loads pages until one has the animal, it cannot follow any more, or `isGivenUp`. Resolves with its index, or -1. */
  async find(id: string, isGivenUp: () => boolean): Promise<number> {
    const indexOf = (): number => this.pets.peek().findIndex((pet) => pet.id === id);
    await this.loadUntil(() => {
      const last = this.pets.peek().at(-1);
      return isGivenUp() || (last !== undefined && compareInt64(last.id, id) >= 0);
    });
    if (indexOf() < 0 && this.isComplete.peek() && !isGivenUp()) await this.load(); // it may be new
    return indexOf();
  }

  /** Makes the request that is due, and keeps its problem. */
  async #run(): Promise<void> {
    this.isLoading.value = true;
    let problem: Problem | undefined;
    try {
      if (this.#isStale) await this.#loadAgain();
      else if (this.isComplete.peek()) await this.#loadNew();
      else await this.#loadNext();
    } catch (error) {
      problem = toProblem(error);
    }
    this.#loading = undefined;
    this.loadedAt = Date.now();
    batch(() => {
      this.problem.value = problem;
      this.isLoading.value = false;
    });
  }

  async #page(cursor: string | undefined, limit: number = pageLimit): Promise<Page<Pet>> {
    return await this.#client.listPets({ ...this.#query, cursor, limit });
  }

  async #loadNext(): Promise<void> {
    const { data, next } = await this.#page(this.#cursor);
    this.#follow(data, next);
    batch(() => {
      this.pets.value = [...this.pets.peek(), ...data];
      this.newEnd.value += data.filter(canBeNew).length;
      this.isComplete.value = next === undefined;
    });
  }

  /** Loads the animals that came since the list was complete. */
  async #loadNew(): Promise<void> {
    let hasMore: boolean;
    do {
      await this.#shortenNewPage();
      const { cursor } = this.#newPage;
      const { data, next } = await this.#page(cursor);
      const found = data.filter(canBeNew);
      hasMore = next !== undefined && found.length === data.length;
      this.#newPage = hasMore ? { cursor: next, count: 0 } : { cursor, count: found.length };
      this.#insert(found);
    } while (hasMore);
  }

  /**
   * New animals come after the last animal of a page that may have no cursor to continue from. The same page without that animal has
   * one: it continues with that animal, and with those that came since.
   */
  async #shortenNewPage(): Promise<void> {
    const { cursor, count } = this.#newPage;
    if (count <= 1) return;
    const { next } = await this.#page(cursor, count - 1);
    if (next !== undefined) this.#newPage = { cursor: next, count: 1 };
  }

  /** Adds the animals that are not in the list yet, as new ones. */
  #insert(found: readonly Pet[]): void {
    const [pets, end] = [this.pets.peek(), this.newEnd.peek()];
    const newest = pets[end - 1];
    const added = found.filter(({ id }) => newest === undefined || compareInt64(id, newest.id) > 0);
    if (added.length === 0) return;
    batch(() => {
      this.pets.value = [...pets.slice(0, end), ...added, ...pets.slice(end)];
      this.newEnd.value += added.length;
      this.unseen.value += added.length;
      if (this.active.peek() >= end && end > 0) this.active.value += added.length;
    });
  }

  /** Shows the animals when all of their pages have been loaded again. */
  async #loadAgain(): Promise<void> {
    const pets: Pet[] = [];
    this.#cursor = undefined;
    let page: Page<Pet>;
    do {
      page = await this.#page(this.#cursor);
      pets.push(...page.data);
      this.#follow(page.data, page.next);
    } while (page.next !== undefined && pets.length < this.pets.peek().length);
    this.#isStale = false;
    batch(() => {
      this.pets.value = pets;
      this.newEnd.value = pets.filter(canBeNew).length;
      this.isComplete.value = page.next === undefined;
      this.unseen.value = 0;
      this.active.value = Math.max(0, Math.min(this.active.peek(), pets.length - 1));
    });
  }

  /** Notes what follows a page. */
  #follow(data: readonly Pet[], next: string | undefined): void {
    const count = data.filter(canBeNew).length;
    if (count > 0 || this.#cursor === undefined) this.#newPage = { cursor: this.#cursor, count };
    this.#cursor = next ?? this.#cursor;
  }
}
