import { defaultScopes, type Scope } from "@petstore/contract/metadata";
import { keyState } from "@petstore/service/store";
import { hashSecret, issueKey, type IssuedKey } from "../api-key.ts";
import { CommandError, exitCodes, print, withStore, type Terminal } from "./command.ts";

interface CreateOptions {
  name: string;
  scopes?: Scope[];
  test?: boolean;
  /** Milliseconds. */
  expiresIn?: number;
}

/** Issues a key and prints its secret once, on standard output. */
export async function createKey(terminal: Terminal, options: CreateOptions): Promise<void> {
  const now = terminal.now();
  const issued = issueKey({
    name: options.name,
    kind: options.test ? "test" : "live",
    scopes: options.scopes ?? defaultScopes,
    createdAt: now,
    expiresAt: options.expiresIn === undefined ? undefined : now + options.expiresIn,
  });
  await withStore(terminal, { mustExist: false }, (store) =>
    store.createKey(issued.key, hashSecret(issued.secret)),
  );
  await printSecret(terminal, issued);
}

/** Revokes a key. Every replica rejects it within a second. */
export async function revokeKey(terminal: Terminal, id: string): Promise<void> {
  const isKnown = await withStore(terminal, { mustExist: true }, (store) =>
    store.revokeKey(id, terminal.now()),
  );
  if (!isKnown)
    throw new CommandError(
      exitCodes.usage,
      `There is no key ${id}. See: petstore-server keys list`,
    );
  await print(terminal.stderr, `Revoked ${id}.\n`);
}

/** Prints every key, without its secret, as a table or as JSON. */
export async function listKeys(
  terminal: Terminal,
  { json = false }: { json?: boolean },
): Promise<void> {
  const keys = await withStore(terminal, { mustExist: true }, (store) => store.listKeys());
  const now = terminal.now();
  const rows = keys.map((key) => {
    const { id, name, kind, scopes, createdAt, expiresAt, lastUsedAt } = key;
    const [created, expires, lastUsed] = [createdAt, expiresAt, lastUsedAt].map((time) =>
      time === undefined ? null : new Date(time).toISOString(),
    );
    return { id, name, kind, scopes, state: keyState(key, now), created, expires, lastUsed };
  });
  const table = rows.map(({ id, name, kind, scopes, state, created, expires, lastUsed }) => {
    const times = {
      created: created ?? "",
      expires: expires ?? "never",
      "last used": lastUsed ?? "never",
    };
    return { id, name, kind, scopes: scopes.join(","), state, ...times };
  });
  await print(terminal.stdout, json ? `${JSON.stringify(rows, null, 2)}\n` : toTable(table));
}

async function printSecret(
  { stdout, stderr }: Terminal,
  { key, secret }: IssuedKey,
): Promise<void> {
  await print(
    stderr,
    `Issued ${key.id} (${key.name}). Save the key below: it is not shown again.\n`,
  );
  try {
    await print(stdout, `${secret}\n`);
  } catch {
    throw new CommandError(
      exitCodes.unexpected,
      `${key.id} was issued, but its secret could not be printed: revoke it`,
    );
  }
}

function toTable(rows: readonly Record<string, string>[]): string {
  const [first] = rows;
  if (first === undefined)
    return "There are no keys. Issue one with: petstore-server keys create --name NAME\n";
  const lines = [
    Object.keys(first).map((name) => name.toUpperCase()),
    ...rows.map((row) => Object.values(row)),
  ];
  const widths = Object.keys(first).map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  );
  const padded = lines.map((line) =>
    line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  "),
  );
  return padded.map((line) => `${line.trimEnd()}\n`).join("");
}
