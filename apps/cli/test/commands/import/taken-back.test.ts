import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { addedNote, row, stored, summary } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";
import { sold } from "../../support/shelter-sheet.ts";

const outcome = (removed: number, kept: number, gone: number) =>
  `${JSON.stringify({ removed, kept, gone })}\n`;

test("0: an import is taken back, but for animals that were changed since, and can be made again", async ({
  server,
  desk,
}) => {
  desk.write("name,categoryId\nRex,1\nRex,1\nRex,1\nBella,2\nMax,3\n");
  expect((await desk.import()).stderr).toBe(addedNote("1-5"));
  await petstore("pets update 4 --status sold", { server });
  await server.store.deletePet(5, {});
  const takeBack = (args = "") =>
    petstore(`pets delete --from rows.ndjson ${args}`, { server, home: desk.path });
  // Forgets nothing, not even an animal that is gone.
  expect(await takeBack()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("needs --yes"),
  });
  expect(await takeBack("--yes")).toMatchObject({ exitCode: 0, stdout: outcome(3, 1, 1) });
  expect(await stored(server)).toEqual([sold("Bella", 2)]);
  expect(await takeBack("--yes")).toMatchObject({ exitCode: 0, stdout: outcome(0, 1, 0) });

  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(4, 1, 0) });
  expect(await stored(server)).toEqual(
    [sold("Bella", 2), row("Max", 3), row("Rex"), row("Rex"), row("Rex")].toSorted(),
  );
  expect(await takeBack("--yes")).toMatchObject({ exitCode: 0, stdout: outcome(4, 1, 0) });
});
