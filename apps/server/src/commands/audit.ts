import { print, withStore, type Terminal } from "./command.ts";

/** Prints every change by an operator as NDJSON, oldest first. */
export async function printAudit(terminal: Terminal): Promise<void> {
  const entries = await withStore(terminal, { mustExist: true }, (store) => store.listAudit());
  const lines = entries.map(({ at, operator, action, details }) =>
    JSON.stringify({ at: new Date(at).toISOString(), operator, action, ...details }),
  );
  await print(terminal.stdout, lines.map((line) => `${line}\n`).join(""));
}
