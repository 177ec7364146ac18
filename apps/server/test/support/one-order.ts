import { expect } from "vitest";

/** A change of one field of an animal to a value that no other change has, and the animal in its response. */
export interface Change {
  field: "name" | "categoryId";
  /** When it was first sent, and when its response arrived, on one scale. */
  sentAt: number;
  receivedAt: number;
  name: string;
  categoryId: number;
}

type State = Pick<Change, "name" | "categoryId">;

/**
 * Expects that changes took effect one after the other, each once, between its request and its response: that there is an order in which
 * each animal is the one before it with one other field, and the last one is stored. No value comes twice, so while a field changes, all
 * changes that show the other one's value must take effect.
 */
export function expectOneOrder(first: State, changes: readonly Change[], last: State): void {
  const order: Change[] = [];
  let rest = [...changes];
  let state = first;
  while (rest.length > 0) {
    const { name, categoryId } = state;
    const next = rest.filter((each) => (each.field === "name" ? each.categoryId === categoryId : each.name === name));
    rest = rest.filter((each) => !next.includes(each));
    const field = next[0]?.field;
    expect(
      next.filter((each) => each.field !== field),
      "changes that exclude each other",
    ).toEqual([]);
    expect(next, `changes of ${JSON.stringify(state)}, before ${JSON.stringify(rest[0])}`).not.toEqual([]);
    // The last one is that which the first change of the other field shows.
    const shown = new Set(
      [...rest, { ...last, field: undefined }].map((each) => (field === "name" ? each.name : each.categoryId)),
    );
    const isShown = (each: Change) => Number(field !== undefined && shown.has(each[field]));
    next.sort((left, right) => isShown(left) - isShown(right) || left.sentAt - right.sentAt);
    order.push(...next);
    state = next.at(-1) ?? state;
  }
  expect(last).toMatchObject({ name: state.name, categoryId: state.categoryId });
  for (const [index, { sentAt }] of order.entries())
    expect(
      order.slice(index + 1).filter((later) => later.receivedAt < sentAt),
      "took effect too late",
    ).toEqual([]);
}
