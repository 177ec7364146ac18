import type { PetStatus } from "@petstore/client";
import type { Pet } from "../pets/rules.ts";
import { compareIds } from "./ids.ts";

/** Where a page begins, and what it contained. */
export interface Page {
  cursor: string | undefined;
  /** The id after which it begins. */
  after: string | undefined;
  ids: readonly string[];
  /** Whether its animals are known. */
  isLoaded: boolean;
}

/** The largest id that a new animal can get. Imported animals can have larger ones. */
const maxNewId = String(Number.MAX_SAFE_INTEGER);

export function canBeNew(id: string): boolean {
  return compareIds(id, maxNewId) <= 0;
}

/** The pages of a list, in ascending order of id, so that any part of it can be loaded again. */
export class ListPages {
  readonly status: PetStatus | undefined;
  #pages: readonly Page[] = [{ cursor: undefined, after: undefined, ids: [], isLoaded: false }];
  #turn = 0;

  constructor(status?: PetStatus) {
    this.status = status;
  }

  /** The first page whose animals are not known. */
  get next(): Page | undefined {
    return this.#pages.find(({ isLoaded }) => !isLoaded);
  }

  /** The page with an animal. */
  pageOf(id: string): Page | undefined {
    return this.#pages.findLast(({ after }) => after === undefined || compareIds(after, id) < 0);
  }

  /** The page where new animals appear. */
  get tail(): Page | undefined {
    return this.#pages.findLast(({ after }) => after === undefined || canBeNew(after));
  }

  /** Returns each page in turn, so that all are reloaded over time. */
  takeTurn(): Page | undefined {
    this.#turn = (this.#turn + 1) % this.#pages.length;
    return this.#pages[this.#turn];
  }

  /** Makes all pages unknown. */
  forget(): void {
    for (const page of this.#pages) page.isLoaded = false;
  }

  /** Records a response. Returns the ids that are no longer in the list. */
  note(page: Page, data: readonly Pet[], next: string | undefined): string[] {
    const last = data.at(-1)?.id ?? page.after;
    // A page without animals ends the list: a service that links from one such page to another
    // would never end it.
    const isLast = next === undefined || data.length === 0 || last === undefined;
    const found = new Set(data.map(({ id }) => id));
    const gone = page.ids.filter((id) => !found.has(id) && (isLast || compareIds(id, last) < 0));
    Object.assign(page, { ids: [...found], isLoaded: true });
    const index = this.#pages.indexOf(page);
    const [before, rest] = [this.#pages.slice(0, index + 1), this.#pages.slice(index + 1)];
    if (isLast) {
      this.#pages = before;
      return [...gone, ...rest.flatMap(({ ids }) => ids)].filter((id) => !found.has(id));
    }
    const following = rest[0]?.after;
    const hasGap = following === undefined || compareIds(following, last) > 0;
    const gap = { cursor: next, after: last, ids: [], isLoaded: false };
    this.#pages = hasGap ? [...before, gap, ...rest] : this.#pages;
    return gone;
  }
}
