import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pet } from "@petstore/contract";
import { parseJson, stringifyJson } from "@petstore/contract/int64";
import type { TestServer } from "@petstore/server/start-server";
import { temporaryDirectory, type Ended, type Running } from "@petstore/test-servers/processes";
import { startProxy, type ProxiedResponse, type Proxy } from "@petstore/test-servers/proxy";
import { onTestFinished } from "vitest";
import { petstore, petstoreInTerminal, startPetstore, startScript } from "./petstore.ts";
import type { Args, InProcessOptions, PipedOptions, ScreenOptions } from "./petstore.ts";
import type { TerminalSession } from "./terminal-session.ts";

/** A directory with a file of rows, `rows.ndjson`, and everything to import it. It is removed after the test. */
export interface ImportDesk {
  /** The home of every run, and its working directory. */
  path: string;
  /** The directory of journals. */
  journals: string;
  /** Replaces the file. */
  write(content: string | readonly string[]): void;
  /** Imports the file, or the source in the arguments, to the end. */
  import(args?: Args, options?: InProcessOptions): Promise<Ended>;
  /** Starts a process that imports. */
  start(args?: Args, options?: PipedOptions): Running;
  inTerminal(args?: Args, options?: ScreenOptions): TerminalSession;
  /** Starts a script of bash. In it, `"$@"` is the program. */
  script(script: string): Running;
}

const rowsFile = "rows.ndjson";

function command(args: Args): Args {
  return typeof args === "string" ? `pets import ${args}` : ["pets", "import", ...args];
}

/**
 * @param server the server to import to, and its key
 * @param rowsThere the rows of the file, if it exists
 */
export function importDesk(
  server: Pick<TestServer, "url" | "apiKey">,
  rowsThere?: string | readonly string[],
): ImportDesk {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  const home = directory.path;
  const desk: ImportDesk = {
    path: home,
    journals: join(home, "state", "petstore", "imports"),
    write: (content) => writeFileSync(join(home, rowsFile), typeof content === "string" ? content : content.join("\n")),
    import: (args = rowsFile, options = {}) => petstore(command(args), { home, server, ...options }),
    start: (args = rowsFile, options = {}) => startPetstore(command(args), { home, server, ...options }),
    inTerminal: (args = rowsFile, options = {}) => petstoreInTerminal(command(args), { home, server, ...options }),
    script: (script) => startScript(script, { home, server }),
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
export async function proxyTo(
  { port, apiKey }: Pick<TestServer, "port" | "apiKey">,
  treat?: Proxy["treat"],
): Promise<ProxiedServer> {
  const proxy = await startProxy(port);
  if (treat !== undefined) proxy.treat = treat;
  return Object.assign(proxy, { url: `${proxy.origin}/v1`, apiKey });
}

/** The response of a service that rejects a request. */
export function errorResponse(status: number, code: string, headers: Record<string, string> = {}): ProxiedResponse {
  const body = JSON.stringify({ code, message: "This is a test.", status });
  return { status, headers: { "Content-Type": "application/json", ...headers }, body };
}

/** The note of a run that has added these animals. */
export function addedNote(ids: string, file = "rows.ndjson"): string {
  return `note: added animals ${ids}. To take them back: petstore pets delete --from ${file}\n`;
}
