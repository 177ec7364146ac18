import type { Answers, Sheet } from "@petstore/sheet";
import { onSessionEnd, session } from "../session/session.ts";
import { deviceStorage, tabStorage } from "../shared/storage.ts";

// What the user has decided for sheets, by the names of their columns: shelters save the same sheet again and again.

const storageName = "petstore-sheets";
const maxShapes = 20;

type Remembered = [shape: string, answers: Answers];

function storage(): typeof tabStorage {
  return session.peek()?.isRemembered === true ? deviceStorage : tabStorage;
}

/** Without names of columns, other sheets would look the same. */
function shapeOf({ header, names }: Sheet): string | undefined {
  return header < 0 ? undefined : names.join("\t");
}

export function recall(sheet: Sheet): Answers | undefined {
  const shape = shapeOf(sheet);
  return read().find(([each]) => each === shape)?.[1];
}

export function remember(sheet: Sheet, answers: Answers): void {
  const shape = shapeOf(sheet);
  if (shape === undefined) return;
  const others = read().filter(([each]) => each !== shape);
  storage().set(storageName, JSON.stringify([[shape, answers], ...others].slice(0, maxShapes)));
}

function read(): Remembered[] {
  const items = storage().getJson(storageName);
  return Array.isArray(items) ? items.filter(isRemembered) : [];
}

/** Whether an item is of this version of the board. */
function isRemembered(item: unknown): item is Remembered {
  if (!Array.isArray(item)) return false;
  const [shape, answers] = item as [unknown, unknown];
  const { columns, values, withoutName = "" } = Object(answers) as Partial<Record<keyof Answers, unknown>>;
  return (
    [shape, withoutName].every((each) => typeof each === "string") &&
    isRecord(columns, (each) => typeof each === "string") &&
    isRecord(values, (each) => isRecord(each, (means) => typeof means === "string"))
  );
}

function isRecord(item: unknown, isValue: (value: unknown) => boolean): boolean {
  return typeof item === "object" && item !== null && Object.values(item).every(isValue);
}

onSessionEnd((reason) => {
  if (reason !== "replaced") for (const each of [tabStorage, deviceStorage]) each.remove(storageName);
});
