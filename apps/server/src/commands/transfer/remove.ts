import { int64Schema, parseInt64, type Int64 } from "@petstore/contract";
import { z } from "zod";
import { CommandError, exitCodes, print, withStore, type Terminal } from "../command.ts";
import { withInput, type Input } from "./input.ts";
import { checkLines, Problems, streamLines } from "./lines.ts";

const nothingRemoved = "Nothing was removed.";

/** A line of the file: an id, or an animal as `export pets` prints it. */
const lineSchema = z.preprocess(
  (value) => (typeof value === "object" ? value : { id: value }),
  z.object({ id: int64Schema }, { error: "must be an id, or a JSON object with one" }),
);

/** Removes all given animals or none. Takes their ids, or one file with a line for each. */
export async function removePets(terminal: Terminal, idsOrFile: readonly string[]): Promise<void> {
  const given = idsOrFile.map(parseInt64);
  const [file = ""] = idsOrFile;
  const ids =
    idsOrFile.length === 1 && given[0] === undefined
      ? await withInput(terminal, file, readIds)
      : given.map((id, index) => id ?? rejectId(idsOrFile[index]));
  const unknown = await withStore(terminal, { mustExist: true }, (store) => store.removePets(ids));
  const problems = new Problems();
  for (const id of unknown) problems.add(`There is no animal with id ${id}.`);
  problems.throwIfAny(nothingRemoved);
  await print(terminal.stderr, `${new Set(ids.map(BigInt)).size} pets removed.\n`);
}

async function readIds({ name, read }: Input): Promise<Int64[]> {
  const ids: Int64[] = [];
  const problems = new Problems();
  for await (const raw of streamLines(read())) {
    for (const { value } of checkLines(name, raw, lineSchema, problems)) ids.push(value.id);
  }
  problems.throwIfAny(nothingRemoved);
  return ids;
}

function rejectId(text = ""): never {
  throw new CommandError(exitCodes.usage, `${text} is not an id: give ids, or the name of one file`);
}
