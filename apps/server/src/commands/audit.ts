import { stringifyJson, type Int64 } from "@petstore/contract";
import type { Store } from "@petstore/service";
import { print, withStore, type Terminal } from "./command.ts";

interface Line {
  at: number;
  [member: string]: unknown;
}

/** Prints every change by an operator as NDJSON, oldest first; with `pet`, what happened to this animal. */
export async function printAudit(terminal: Terminal, { pet }: { pet?: Int64 }): Promise<void> {
  const list = (store: Store) => (pet === undefined ? listCommands(store) : listChanges(store, pet));
  const entries = await withStore(terminal, { mustExist: true }, list);
  const lines = entries.map(({ at, ...rest }) => stringifyJson({ at: new Date(at).toISOString(), ...rest }));
  await print(terminal.stdout, lines.map((line) => `${line}\n`).join(""));
}

async function listCommands(store: Store): Promise<Line[]> {
  return (await store.listAudit()).map(({ details, ...entry }) => ({ ...entry, ...details }));
}

async function listChanges(store: Store, pet: Int64): Promise<Line[]> {
  const names = new Map((await store.listKeys()).map(({ id, name }) => [id, name]));
  const changes = await store.listChanges(pet);
  return changes.map(({ at, by, requestId, action, previous }) => {
    const author = requestId === undefined ? { operator: by } : { key: by, name: names.get(by), requestId };
    return { at, ...author, action: `pet_${action}`, previous };
  });
}
