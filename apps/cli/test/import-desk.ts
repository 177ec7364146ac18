import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyJson } from "@petstore/contract/int64";
import type { TestServer } from "@petstore/server/start-server";
import { start, temporaryDirectory, type Ended, type Running } from "@petstore/test-kit/processes";
import { onTestFinished } from "vitest";
import {
  binary,
  petstore,
  petstoreInTerminal,
  startPetstore,
  type PipedOptions,
  type ScreenOptions,
} from "./petstore.ts";
import type { TerminalSession } from "./terminal-session.ts";

/** A directory with a file of rows, `rows.ndjson`, and everything to import it with. It goes with the test. */
export interface ImportDesk {
  /** The home of every run, and its working directory. */
  path: string;
  /** Where journals are. */
  journals: string;
  /** Writes the file anew. */
  write(content: string | readonly string[]): void;
  /** Imports the file, or what the arguments name, to the end. */
  import(args?: readonly string[], options?: PipedOptions): Promise<Ended>;
  start(args?: readonly string[], options?: PipedOptions): Running;
  inTerminal(args?: readonly string[], options?: ScreenOptions): TerminalSession;
  /** Starts a script of the shell. In it, `"$@"` is the program. */
  shell(script: string): Running;
}

function command(args: readonly string[]): string[] {
  return ["pets", "import", ...args];
}

const rowsFile = "rows.ndjson";

/** @param server where it is imported to, and the key for it */
export function importDesk({ url, apiKey }: Pick<TestServer, "url" | "apiKey">): ImportDesk {
  const home = temporaryDirectory();
  onTestFinished(() => home[Symbol.dispose]());
  const connected = { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: apiKey };

  function at<Options extends PipedOptions | ScreenOptions>({ environment, ...options }: Options) {
    return { home: home.path, ...options, environment: { ...connected, ...environment } };
  }

  return {
    path: home.path,
    journals: join(home.path, "state", "petstore", "imports"),
    write: (content) =>
      writeFileSync(join(home.path, rowsFile), typeof content === "string" ? content : content.join("\n")),
    import: (args = [rowsFile], options = {}) => petstore(command(args), at(options)),
    start: (args = [rowsFile], options = {}) => startPetstore(command(args), at(options)),
    inTerminal: (args = [rowsFile], options = {}) => petstoreInTerminal(command(args), at(options)),
    shell: (script) =>
      start("bash", ["-c", script, "bash", process.execPath, binary], {
        directory: home.path,
        environment: {
          PATH: process.env["PATH"] ?? "",
          HOME: home.path,
          XDG_STATE_HOME: join(home.path, "state"),
          ...connected,
        },
      }),
  };
}

/** A row of an animal that is available. */
export function row(name: string, categoryId: number | bigint = 1): string {
  return stringifyJson({ name, categoryId });
}

/** So many different rows. */
export function rows(count: number, name = "animal"): string[] {
  return Array.from({ length: count }, (_, index) => row(`${name} ${index + 1}`, index));
}

/** Every animal that a server has, as rows in alphabetical order. */
export async function stored({ store }: Pick<TestServer, "store">): Promise<string[]> {
  const pets = await store.listPets({ limit: 1_000_000 });
  return pets
    .map(({ name, categoryId, status }) =>
      stringifyJson({ name, categoryId, ...(status !== "available" && { status }) }),
    )
    .toSorted();
}

/** What a run prints in the end. */
export function summary(added: number, alreadyAdded: number, refused: number): string {
  return `${JSON.stringify({ added, alreadyAdded, refused })}\n`;
}
