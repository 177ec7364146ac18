import { compareInt64, type Page, type Pet as AnyPet, type PetstoreClient } from "@petstore/client";
import { batch, signal } from "@preact/signals";
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
  /** How many animals at the end came while the list was complete, and have not been on the screen. */
  readonly unseen = signal(0);
  /** The index of the row that the tab key reaches. */
  readonly active = signal(0);
  /** Where the reader was, in pixels. */
  scroll = 0;
  /** When the last request ended, in milliseconds since 1970. */
  loadedAt = 0;

  readonly #client: PetstoreClient<"string">;
  readonly #query: { status?: Exclude<Tab, "all"> };
  /** The cursor of the page to load next; of a complete list, that of its last page. */
  #cursor: string | undefined;
  /** How many animals the last page of a complete list had. */
  #lastCount = 0;
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
    const isPast = (): boolean => {
      const last = this.pets.peek().at(-1);
      return last !== undefined && compareInt64(last.id, id) >= 0;
    };
    if (this.isComplete.peek() && !isPast()) await this.load(); // it may be new
    await this.loadUntil(() => isGivenUp() || isPast());
    return this.pets.peek().findIndex((pet) => pet.id === id);
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
    const page = await this.#page(this.#cursor);
    this.#cursor = this.#follow(page, this.#cursor);
    batch(() => {
      this.#append(page.data);
      this.isComplete.value = page.next === undefined;
    });
  }

  /**
   * The last page has no cursor to continue from. The same page without its last animal has one: it continues with that animal, and
   * with those that came since.
   */
  async #loadNew(): Promise<void> {
    if (this.#lastCount > 1) {
      const { next } = await this.#page(this.#cursor, this.#lastCount - 1);
      if (next !== undefined) this.#cursor = next;
      this.#lastCount = 1;
    }
    const page = await this.#page(this.#cursor);
    this.#cursor = this.#follow(page, this.#cursor);
    batch(() => {
      this.unseen.value += this.#append(page.data);
      this.isComplete.value = page.next === undefined;
    });
  }

  /** Shows the animals when all of their pages have been loaded again. */
  async #loadAgain(): Promise<void> {
    const pets: Pet[] = [];
    let cursor: string | undefined;
    let page: Page<Pet>;
    do {
      page = await this.#page(cursor);
      pets.push(...page.data);
      cursor = this.#follow(page, cursor);
    } while (page.next !== undefined && pets.length < this.pets.peek().length);
    this.#cursor = cursor;
    this.#isStale = false;
    batch(() => {
      this.pets.value = pets;
      this.isComplete.value = page.next === undefined;
      this.unseen.value = 0;
      this.active.value = Math.max(0, Math.min(this.active.peek(), pets.length - 1));
    });
  }

  /** The cursor to continue with after a page; that of the page itself, if it is the last one. */
  #follow({ data, next }: Page<Pet>, cursor: string | undefined): string | undefined {
    this.#lastCount = next === undefined ? data.length : 0;
    return next ?? cursor;
  }

  /** Adds the animals that are not in the list yet. Returns how many. */
  #append(data: readonly Pet[]): number {
    const last = this.pets.peek().at(-1);
    const added = last === undefined ? data : data.filter(({ id }) => compareInt64(id, last.id) > 0);
    if (added.length > 0) this.pets.value = [...this.pets.peek(), ...added];
    return added.length;
  }
}
