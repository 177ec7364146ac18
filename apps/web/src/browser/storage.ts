/**
 * Items of the browser's storage. Where the browser denies it, or it is full, an item is kept in
 * memory: the board works, but a reload forgets the item.
 */
class ItemStorage {
  readonly #find: () => Storage;
  readonly #inMemory = new Map<string, string>();

  constructor(find: () => Storage) {
    this.#find = find;
  }

  get(name: string): string | null {
    return this.#inMemory.get(name) ?? this.#attempt((storage) => storage.getItem(name)) ?? null;
  }

  /** An item that is JSON; `undefined` without one, or if it is damaged. */
  getJson(name: string): unknown {
    try {
      return JSON.parse(this.get(name) ?? "");
    } catch {
      return undefined;
    }
  }

  /** The names of the items that begin so. */
  names(prefix: string): string[] {
    const all = this.#attempt((storage) => Object.keys(storage)) ?? [];
    return all.filter((name) => name.startsWith(prefix));
  }

  /** Whether a reload keeps an item: storage may be full, or was cleared since. */
  isKept(name: string, item: string | undefined): boolean {
    return this.#attempt((storage) => storage.getItem(name)) === item;
  }

  /** Sets an item; `undefined` removes it. */
  put(name: string, item: string | undefined): void {
    if (item === undefined) this.remove(name);
    else this.set(name, item);
  }

  set(name: string, item: string): void {
    try {
      this.#find().setItem(name, item);
      this.#inMemory.delete(name);
    } catch {
      this.remove(name); // an earlier item must not come back after a reload
      this.#inMemory.set(name, item);
    }
  }

  remove(name: string): void {
    this.#inMemory.delete(name);
    this.#attempt((storage) => storage.removeItem(name));
  }

  #attempt<Result>(use: (storage: Storage) => Result): Result | undefined {
    try {
      return use(this.#find());
    } catch {
      return undefined;
    }
  }
}

/** Kept until the tab is closed. */
export const tabStorage = new ItemStorage(() => sessionStorage);

/** Kept on the device. */
export const deviceStorage = new ItemStorage(() => localStorage);
