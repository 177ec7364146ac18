import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pet } from "@petstore/contract";
import { parseJson, stringifyJson } from "@petstore/contract/int64";
import type { TestServer } from "@petstore/server/start-server";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import {
  startProxy,
  type ProxiedRequest,
  type ProxiedResponse,
  type Proxy,
} from "@petstore/test-servers/proxy";
import { onTestFinished } from "vitest";
import { petstore, petstoreInTerminal, startPetstore, startScript } from "./petstore.ts";
import type { Args, InProcessOptions, PipedOptions, ScreenOptions } from "./petstore.ts";

export type ImportDesk = ReturnType<typeof importDesk>;

const rowsFile = "rows.ndjson";

function command(args: Args): Args {
  return typeof args === "string" ? `pets import ${args}` : ["pets", "import", ...args];
}

/**
 * A directory with a file of rows, `rows.ndjson`, and everything to import it. It is removed after
 * the test.
 * @param server the server to import to, and its key
 * @param rowsThere the rows of the file, if it exists
 */
export function importDesk(
  server: Pick<TestServer, "url" | "apiKey">,
  rowsThere?: string | readonly string[],
) {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  const home = directory.path;
  const desk = {
    /** The home of every run, and its working directory. */
    path: home,
    journals: join(home, "state", "petstore", "imports"),
    /** Replaces the file. */
    write: (content: string | readonly string[]) =>
      writeFileSync(join(home, rowsFile), [content].flat().join("\n")),
    /** Imports the file, or the source in the arguments, to the end. */
    import: (args: Args = rowsFile, options: InProcessOptions = {}) =>
      petstore(command(args), { home, server, ...options }),
    /** Starts a process that imports. */
    start: (args: Args = rowsFile, options: PipedOptions = {}) =>
      startPetstore(command(args), { home, server, ...options }),
    inTerminal: (args: Args = rowsFile, options: ScreenOptions = {}) =>
      petstoreInTerminal(command(args), { home, server, ...options }),
    /** Starts a script of bash. In it, `"$@"` is the program. */
    script: (script: string) => startScript(script, { home, server }),
  };
  if (rowsThere !== undefined) desk.write(rowsThere);
  return desk;
}

/** A row of an available animal. */
export function row(name: string, categoryId: number | bigint = 1): string {
  return stringifyJson({ name, categoryId });
}

/** This many different rows. */
export function rows(count: number, name = "animal"): string[] {
  return Array.from({ length: count }, (_, index) => row(`${name} ${index + 1}`, index));
}

/** Every animal of a server, as rows in alphabetical order. */
export async function stored({ store }: Pick<TestServer, "store">): Promise<string[]> {
  const items = await store.listPets({ limit: 1_000_000 });
  return items
    .map(({ json }) => {
      const { name, categoryId, status } = parseJson(json) as Pet;
      return stringifyJson({ name, categoryId, ...(status !== "available" && { status }) });
    })
    .toSorted();
}

/** The last output of a run. */
export function summary(
  added: number,
  alreadyAdded: number,
  rejected: number,
  others: Partial<Record<"unchanged" | "leftOut" | "changed", number>> = {},
): string {
  return `${JSON.stringify({ added, alreadyAdded, rejected, ...others })}\n`;
}

/** A proxy before a server, at an address that the key of the server is for. */
export type ProxiedServer = Proxy & Pick<TestServer, "url" | "apiKey">;

/** Stands between an import and a server. By default it forwards every request. */
export async function proxyTo({
  port,
  apiKey,
}: Pick<TestServer, "port" | "apiKey">): Promise<ProxiedServer> {
  const proxy = await startProxy(port);
  return Object.assign(proxy, { url: `${proxy.origin}/v1`, apiKey });
}

/** The idempotency keys of the rows that a request sends. */
export function keysOf({
  headers,
  body,
  target,
}: Pick<ProxiedRequest, "headers" | "body" | "target">): string[] {
  if (!isBatch({ target })) return [String(headers["idempotency-key"])];
  return (JSON.parse(body) as { pets: { idempotencyKey: string }[] }).pets.map(
    ({ idempotencyKey }) => idempotencyKey,
  );
}

export function isBatch({ target }: Pick<ProxiedRequest, "target">): boolean {
  return target === "/v1/pet-batches";
}

/** The response of a service that rejects a request. */
export function errorResponse(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): ProxiedResponse {
  const body = JSON.stringify({ code, message: "This is a test.", status });
  return {
    status,
    headers: { "Content-Type": "application/json", "X-Request-Id": "request-7", ...headers },
    body,
  };
}

/** The note of a run that has added these animals. */
export function addedNote(ids: string, file = "rows.ndjson"): string {
  return `note: added ${/^\d+$/.test(ids) ? "animal" : "animals"} ${ids}. To take them back: petstore pets delete --from ${file}\n`;
}
