import type { PetStatus } from "@petstore/client";
import type { Pet } from "../shared/rules.ts";
import { compareIds } from "./ids.ts";

/** Where a page begins, and what it contained. */
export interface Place {
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
export class Walk {
  readonly status: PetStatus | undefined;
  #places: readonly Place[] = [{ cursor: undefined, after: undefined, ids: [], isLoaded: false }];
  #turn = 0;

  constructor(status?: PetStatus) {
    this.status = status;
  }

  /** The first page whose animals are not known. */
  get next(): Place | undefined {
    return this.#places.find(({ isLoaded }) => !isLoaded);
  }

  /** The page with an animal. */
  placeOf(id: string): Place | undefined {
    return this.#places.findLast(({ after }) => after === undefined || compareIds(after, id) < 0);
  }

  /** The page where new animals appear. */
  get tail(): Place | undefined {
    return this.#places.findLast(({ after }) => after === undefined || canBeNew(after));
  }

  /** Returns each page in turn, so that all are reloaded over time. */
  takeTurn(): Place | undefined {
    this.#turn = (this.#turn + 1) % this.#places.length;
    return this.#places[this.#turn];
  }

  /** Makes all pages unknown. */
  forget(): void {
    for (const place of this.#places) place.isLoaded = false;
  }

  /** Records a response. Returns the ids that are no longer in the list. */
  note(place: Place, data: readonly Pet[], next: string | undefined): string[] {
    const last = data.at(-1)?.id ?? place.after;
    // A page without animals ends the list: a service that links from one such page to another
    // would never end it.
    const isLast = next === undefined || data.length === 0 || last === undefined;
    const found = new Set(data.map(({ id }) => id));
    const gone = place.ids.filter((id) => !found.has(id) && (isLast || compareIds(id, last) < 0));
    Object.assign(place, { ids: [...found], isLoaded: true });
    const index = this.#places.indexOf(place);
    const [before, rest] = [this.#places.slice(0, index + 1), this.#places.slice(index + 1)];
    if (isLast) {
      this.#places = before;
      return [...gone, ...rest.flatMap(({ ids }) => ids)].filter((id) => !found.has(id));
    }
    const following = rest[0]?.after;
    const hasGap = following === undefined || compareIds(following, last) > 0;
    const gap = { cursor: next, after: last, ids: [], isLoaded: false };
    this.#places = hasGap ? [...before, gap, ...rest] : this.#places;
    return gone;
  }
}
