import { onFreePort } from "@petstore/test-kit/free-port";
import { installed } from "@petstore/test-kit/programs";
import {
  createKey,
  serve,
  settings,
  start,
  type Ended,
  type Serving,
} from "@petstore/test-servers/processes";
import { expect } from "vitest";

/**
 * What the link to the next page is: an address if the operator has set PETSTORE_PUBLIC_URL, and
 * otherwise only a query.
 */
export type Form = "absolute" | "queryOnly";

/** The program of the system that runs a file, by its extension, and its arguments. */
const programs = {
  go: ["go", "run"],
  php: ["php"],
  pl: ["perl"],
  py: ["python3"],
  R: ["Rscript"],
  rb: ["ruby"],
} as const;

/** How to run a file, in a list that is empty if the machine lacks the program. */
export function interpretersOf(file: string): string[][] {
  const extension = file.replace(/.*\./, "");
  if (extension === "mjs") return [[process.execPath]];
  const [program, ...args] = programs[extension as keyof typeof programs];
  return installed(program).map((path) => [path, ...args]);
}

/**
 * Starts a server with animals, and runs a program of a user that prints the name of each animal on
 * a line.
 */
export async function runWithAnimals(
  command: readonly string[],
  { form, count, directory }: { form: Form; count: number; directory: string },
): Promise<Ended & { names: string[]; printed: string[] }> {
  await using server = await serveOnPort(directory, form);
  const key = await createKey(directory);
  const names = Array.from({ length: count }, (_, index) => `Animal ${index + 1}`);
  for (let from = 0; from < count; from += 100) {
    const pets = names
      .slice(from, from + 100)
      .map((name) => ({ name, categoryId: 1, idempotencyKey: name }));
    expect((await server.call(key, "/pet-batches", JSON.stringify({ pets }))).status).toBe(200);
  }
  const link = (await server.call(key, "/pets?limit=2")).headers.get("Link");
  expect(link?.replace(/\?.*/, "")).toBe(form === "absolute" ? `<${server.url}/pets` : "<");

  const [file = "", ...args] = command;
  const { PATH = "" } = process.env;
  const environment = { PATH, HOME: directory, LC_ALL: "C.UTF-8", URL: server.url, KEY: key };
  const ended = await start(file, args, { directory, environment }).ended;
  return { ...ended, names, printed: ended.stdout.split("\n").slice(0, -1) };
}

async function serveOnPort(directory: string, form: Form): Promise<Serving> {
  return await onFreePort(async (port) => {
    const environment = { ...settings, PETSTORE_PORT: `${port}` };
    const publicUrl = { PETSTORE_PUBLIC_URL: `http://127.0.0.1:${port}/v1` };
    return await serve(directory, {
      environment: form === "absolute" ? { ...environment, ...publicUrl } : environment,
    });
  });
}
