import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * The items in groups. A group ends when it is full, or when the next item is not there yet: a
 * program may write rows one by one, and none of them waits for the next.
 * @param toSize resolves once a group may be taken, with its largest size. What comes until then is
 * in it
 */
export async function* gather<Item>(
  items: AsyncIterable<Item>,
  toSize: () => Promise<number>,
): AsyncGenerator<[Item, ...Item[]]> {
  const iterator = items[Symbol.asyncIterator]();
  const pull = (): Promise<IteratorResult<Item>> => {
    const pulled = iterator.next();
    pulled.catch(() => {}); // whoever awaits it gets the error
    return pulled;
  };
  for (let next = pull(); ;) {
    const first = await next;
    if (first.done === true) return;
    const group: [Item, ...Item[]] = [first.value];
    next = pull();
    const size = await toSize();
    const later = nextTurn();
    while (group.length < size) {
      // The items before an error count.
      const more = await Promise.race([next, later]).catch(() => undefined);
      if (more === undefined || more.done === true) break;
      group.push(more.value);
      next = pull();
    }
    yield group;
  }
}
