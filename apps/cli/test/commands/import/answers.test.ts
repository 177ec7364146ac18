import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { row, stored } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";

test.each([
  ["--category Dog=1 --category DOG=2", "--category Dog=1 and --category DOG=2"],
  ["--status sold --status available", "--status sold and --status available"],
  ["--status =sold --status pending", "--status =sold and --status pending"],
])("2: %s is refused, because one value means two things", async (options, both) => {
  const args = ["pets", "import", "-", "--import-id", "1", "--dry-run", ...options.split(" ")];
  const run = petstore(args, { input: "Name,Species\nRex,Dog\n" });
  expect(await run).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`error: ${both} say different things of one value\n`),
  });
});

test("0: an answer may be given twice", async ({ server, desk }) => {
  desk.write("Name,Species\nRex,Dog\nPopo,ハト\nCoco,バト\n");
  const options = [
    "--category-column",
    "Species",
    "--category",
    "Dog=1",
    "--category",
    "DOG=1",
    "--category",
    "ハト=2",
    "--category",
    "バト=3",
  ];
  expect(await desk.import(["rows.ndjson", ...options])).toMatchObject({ exitCode: 0 });
  expect(await stored(server)).toEqual([row("Coco", 3), row("Popo", 2), row("Rex")]);
});
