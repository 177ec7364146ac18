import { expect, test } from "vitest";
import { animals, startCatalogue } from "../support/catalogue.ts";
import { petstore, petstoreOnScreen } from "../support/petstore.ts";

function expectColors(text: string, isColored: boolean): void {
  expect(text).toContain(isColored ? "\u001b[1mID\u001b[22m  \u001b[1mNAME\u001b[22m" : "ID  NAME");
  expect(text).toContain(isColored ? "\u001b[2mnote:\u001b[22m There" : "note: There");
}

const line = "pets list --limit 1 -o table";

test.for<[environment: Record<string, string>, isColored: boolean]>([
  [{}, true],
  [{ NO_COLOR: "1" }, false],
  [{ FORCE_COLOR: "0" }, false],
  [{ TERM: "dumb" }, false],
  [{ TERM: "dumb", FORCE_COLOR: "1" }, true],
])("0: at a terminal with %o, there are colors: %s", async ([environment, isColored]) => {
  await using server = await startCatalogue(animals(2));
  const session = await petstoreOnScreen(line, { server, environment });
  expectColors(session.raw(), isColored);
});

test("0: each status has its own color, and 2: an error is red", async () => {
  const pets = (["available", "pending", "sold"] as const).flatMap((status) =>
    animals(1, { status }),
  );
  await using server = await startCatalogue(pets);
  const list = (await petstoreOnScreen("pets list", { server })).raw();
  for (const painted of [
    "\u001b[32mavailable\u001b[39m",
    "\u001b[33mpending\u001b[39m",
    "\u001b[2msold\u001b[22m",
  ])
    expect(list).toContain(painted);
  const wrong = (await petstoreOnScreen("pets list --statu sold")).raw();
  expect(wrong).toContain("\u001b[1m\u001b[31merror:\u001b[39m\u001b[22m unknown");
  expect(wrong).toContain("\u001b[1mhint:\u001b[22m Did you mean");
});

test("0: in a pipe, there are colors only if they are forced, and none in json, ndjson and csv", async () => {
  await using server = await startCatalogue(animals(2));
  const plain = await petstore(line, { server });
  expectColors(plain.stdout + plain.stderr, false);
  const environment = { FORCE_COLOR: "1", NO_COLOR: "1" };
  const forced = await petstore(line, { server, environment });
  expectColors(forced.stdout + forced.stderr, true);
  for (const format of ["json", "ndjson", "csv"])
    expect(
      (await petstore(`pets list -o ${format}`, { server, environment })).stdout,
    ).not.toContain("\u001b");
});
