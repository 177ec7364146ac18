import { stringifyJson, type Int64 } from "@petstore/contract/int64";
import type { Store } from "@petstore/service";
import { print, withStore, type Terminal } from "./command.ts";

/**
 * Prints every change by an operator as NDJSON, oldest first; with `pet`, what happened to this
 * animal.
 */
export async function printAudit(terminal: Terminal, { pet }: { pet?: Int64 }): Promise<void> {
  await withStore(terminal, { mustExist: true }, async (store) => {
    for await (const lines of pet === undefined ? listCommands(store) : listChanges(store, pet))
      await print(terminal.stdout, lines.map((line) => `${stringifyJson(line)}\n`).join(""));
  });
}

async function* listCommands(store: Store): AsyncGenerator<object[]> {
  const entries = await store.listAudit();
  yield entries.map(({ at, details, ...entry }) => ({ at: toTime(at), ...entry, ...details }));
}

async function* listChanges(store: Store, pet: Int64): AsyncGenerator<object[]> {
  const names = new Map((await store.listKeys()).map(({ id, name }) => [id, name]));
  for await (const changes of store.listChanges(pet)) {
    yield changes.map(({ at, by, requestId, action: what, previous }) => {
      const [time, action] = [toTime(at), `pet_${what}`];
      if (requestId === undefined) return { at: time, operator: by, action, previous };
      return { at: time, key: by, name: names.get(by), requestId, action, previous };
    });
  }
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}
