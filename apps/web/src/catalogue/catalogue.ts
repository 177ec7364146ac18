import { petStatuses, type PetstoreClient } from "@petstore/client";
import { fieldNames } from "@petstore/contract/fields";
import { batch, signal } from "@preact/signals";
import { toProblem, type Problem } from "../language/problem.ts";
import type { PetList } from "../outbox/report.ts";
import type { Pet } from "../pets/rules.ts";
import { compareIds } from "./ids.ts";
import { ListPages, type Page } from "./list-pages.ts";

/** The most animals that are kept. */
export const maxAnimals = 20_000;

/** How much of that stays free for new animals when not all adopted ones fit. */
const reserve = 1_000;

/** The largest page, for the fewest requests. */
const pageLimit = 100;

/** How often animals appear while they are being loaded, in milliseconds. */
const showMs = 1_000;

/** The animals of the service, as far as they have been loaded. */
export class Catalogue implements PetList {
  /** In ascending order of id. */
  readonly pets = signal<readonly Pet[]>([]);
  /** Whether all have been loaded, as far as they fit. */
  readonly isComplete = signal(false);
  /** Whether there are more than fit. */
  readonly isOver = signal(false);
  readonly isLoading = signal(false);
  /** Why the last request failed. */
  readonly problem = signal<Problem | undefined>(undefined);
  /** The ids of animals that arrived after the first load and have not been on the screen. */
  readonly unseen = signal<ReadonlySet<string>>(new Set());
  /** When the last request ended, in milliseconds since 1970. */
  loadedAt = 0;

  readonly #client: PetstoreClient<"string">;
  readonly #known = new Map<string, Pet>();
  /** One list of all animals; beyond the limit, one for each status. */
  #lists: readonly ListPages[] = [new ListPages()];
  #loading: Promise<void> | undefined;
  readonly #onFrame: (show: () => void) => unknown;
  #isWaitingForFrame = false;
  #shownAt = 0;
  #isChanged = false;
  #came: string[] = [];
  /**
   * The ids of animals that were stored or removed while a page is loaded: the page may be older.
   */
  readonly #stored = new Set<string>();

  /** @param onFrame calls a function before the next frame is drawn */
  constructor(
    client: PetstoreClient<"string">,
    onFrame: (show: () => void) => unknown = (show) => requestAnimationFrame(show),
  ) {
    this.#client = client;
    this.#onFrame = onFrame;
  }

  find(id: string): Pet | undefined {
    return this.#known.get(id);
  }

  /** Records that animals are on the screen. Returns those that are new. */
  see(ids: readonly string[]): readonly string[] {
    const unseen = this.unseen.peek();
    const seen = ids.filter((id) => unseen.has(id));
    if (seen.length > 0)
      this.unseen.value = new Set([...unseen].filter((id) => !seen.includes(id)));
    return seen;
  }

  /**
   * Loads what is not known yet, and reloads the pages with these animals and the pages where new
   * ones appear. Joins a load in progress.
   */
  load(ids: readonly string[] = []): Promise<void> {
    this.#loading ??= this.#run(ids);
    return this.#loading;
  }

  /** Loads everything again. */
  async reload(): Promise<void> {
    await this.#loading;
    for (const list of this.#lists) list.forget();
    await this.load();
  }

  /** Loads an animal again. Does not join a load in progress, which may have missed a change. */
  async refresh(id: string): Promise<void> {
    await this.#loading;
    await this.load([id]);
  }

  /** Records an animal as the service has just stored it. */
  put(pet: Pet): void {
    this.#stored.add(pet.id);
    this.#note(pet);
    this.#showInFrames();
  }

  /** Forgets an animal that was removed. */
  remove(id: string): void {
    this.#stored.add(id);
    if (this.#known.delete(id)) this.#isChanged = true;
    this.#showInFrames();
  }

  /** Adds new animals. Skips known ones, which may be newer here. */
  add(pets: readonly Pet[]): void {
    for (const pet of pets) if (!this.find(pet.id)) this.#note(pet);
    this.#showInFrames();
  }

  async #run(ids: readonly string[]): Promise<void> {
    this.isLoading.value = true;
    let problem: Problem | undefined;
    try {
      if (this.isComplete.peek()) await this.#loadAgain(ids);
      await this.#loadRest();
    } catch (error) {
      problem = toProblem(error);
    }
    this.#loading = undefined;
    this.loadedAt = Date.now();
    batch(() => {
      this.#show();
      this.problem.value = problem;
      if (!problem) this.isComplete.value = true;
      this.isLoading.value = false;
    });
  }

  async #loadAgain(ids: readonly string[]): Promise<void> {
    for (const list of this.#lists) {
      const known = ids.filter(
        (id) => list.status === undefined || this.find(id)?.status === list.status,
      );
      const pages = new Set([list.tail, list.takeTurn(), ...known.map((id) => list.pageOf(id))]);
      for (const page of pages) if (page?.isLoaded) await this.#loadPage(list, page);
    }
  }

  async #loadRest(): Promise<void> {
    for (let next = this.#next(); next; next = this.#next()) {
      await this.#loadPage(...next);
      if (this.isComplete.peek() || Date.now() - this.#shownAt < showMs) continue;
      this.#show();
    }
  }

  /** The page to load next. */
  #next(): [ListPages, Page] | undefined {
    const list = this.#lists.find(({ next }) => next);
    const page = list?.next;
    if (!list || !page) return undefined;
    const isAgain = page.ids.length > 0;
    const room = list.status === "sold" ? maxAnimals - reserve : maxAnimals;
    if (isAgain || this.#known.size < room) return [list, page];
    this.isOver.value = true;
    if (list.status !== undefined) return undefined;
    // The animals that users work with come first.
    this.#known.clear();
    this.#lists = petStatuses.map((status) => new ListPages(status));
    return this.#next();
  }

  async #loadPage(list: ListPages, page: Page): Promise<void> {
    const query = {
      cursor: page.cursor,
      limit: pageLimit,
      ...(list.status && { status: list.status }),
    };
    this.#stored.clear();
    const { data, next } = await this.#client.listPets(query);
    for (const id of list.note(page, data, next)) {
      const isElsewhere = list.status !== undefined && this.find(id)?.status !== list.status;
      if (!isElsewhere && !this.#stored.has(id) && this.#known.delete(id)) this.#isChanged = true;
    }
    for (const pet of data) if (!this.#stored.has(pet.id)) this.#note(pet);
  }

  #note(pet: Pet): void {
    const known = this.#known.get(pet.id);
    if (known && fieldNames.every((name) => known[name] === pet[name])) return;
    this.#known.set(pet.id, pet);
    this.#isChanged = true;
    if (!known && this.isComplete.peek()) this.#came.push(pet.id);
  }

  /**
   * Shows the first change at once, and what follows it once per frame: each time all animals are
   * put in order.
   */
  #showInFrames(): void {
    if (this.#isWaitingForFrame) return;
    this.#isWaitingForFrame = true;
    this.#onFrame(() => {
      this.#isWaitingForFrame = false;
      this.#show();
    });
    this.#show();
  }

  #show(): void {
    this.#shownAt = Date.now();
    if (!this.#isChanged) return;
    batch(() => {
      this.pets.value = [...this.#known.values()].toSorted((a, b) => compareIds(a.id, b.id));
      if (this.#came.length > 0)
        this.unseen.value = new Set([...this.unseen.peek(), ...this.#came]);
    });
    this.#isChanged = false;
    this.#came = [];
  }
}
